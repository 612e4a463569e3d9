from ranx import Qrels, Run, evaluate

qrels = Qrels({"1": {"a": 0}, "2": {"a": 1, "b": 0}})
run = Run({"1": {"a": 1.0}, "2": {"a": 2.0, "b": 1.0}})
print(evaluate(qrels, run, "bpref", return_mean=False).tolist())
