from ranx import Qrels, Run, evaluate

found = []
for documents in (15, 16):
    names = [f"d{i:02}" for i in range(documents)]
    run = Run({"q": dict.fromkeys(names, 1.0)})
    found.append(round(float(evaluate(Qrels({"q": {names[0]: 1}}), run, "mrr")), 4))
print(*found)
