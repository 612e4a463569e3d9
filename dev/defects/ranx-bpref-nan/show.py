from ranx import Qrels, Run, evaluate

qrels = Qrels({"q": {"a": 1, "b": 1}})
run = Run({"q": {"a": 2.0, "b": 1.0}})
print(float(evaluate(qrels, run, "bpref")))
