from rankereval import AP, BinaryLabels, Rankings

ranking = Rankings.from_ranked_indices([[2, 6, 10, 0, 1, 8]])
labels = BinaryLabels.from_positive_indices([[6, 3, 8]])
print(AP(5).score(labels, ranking).round(3).tolist())
