from ranx import Qrels, Run, evaluate

qrels = Qrels({"q": {"a": 5, "b": 2, "c": 3}})
run = Run({"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
print(float(evaluate(qrels, run, "rbp.50")))
