"""What a user of pytrec_eval-terrier writes: its own parsers, its evaluator, a mean."""

from __future__ import annotations

import sys
from pathlib import Path

import pytrec_eval

qrels_path, run_path, *measures = sys.argv[1:]
with Path(qrels_path).open() as file:
    qrels = pytrec_eval.parse_qrel(file)
with Path(run_path).open() as file:
    run = pytrec_eval.parse_run(file)
results = pytrec_eval.RelevanceEvaluator(qrels, set(measures)).evaluate(run)
for measure in measures:
    values = [query[measure] for query in results.values()]
    print(measure, pytrec_eval.compute_aggregated_measure(measure, values))
