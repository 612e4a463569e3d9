from rankereval import DCG, NumericLabels, Rankings

labels = NumericLabels.from_matrix([[1.0]])
ranking = Rankings.from_ranked_indices([[0]])
print(DCG(1, relevance_scaling="power", log_base="2").score(labels, ranking).tolist())
