import subprocess
import sys

# The version is that of the binding, which holds trec_eval 9.
code = """
import pytrec_eval
qrels = {"1": {"a": 1}, "2": {"a": -2}}
run = {"1": {"a": 1.0}, "2": {"a": 1.0}}
pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"}).evaluate(run)
"""
print("exit code", subprocess.run([sys.executable, "-c", code]).returncode)
