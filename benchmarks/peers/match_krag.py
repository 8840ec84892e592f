"""What a user of Krag writes, with the import of one package or the other and nothing else changed.

match_krag.py krag|ragstone FILE METHOD TOKENIZER K...
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

package, path, method, tokenizer, *cutoffs = sys.argv[1:]
if package == "krag":
    from krag.document import KragDocument as Document
    from krag.evaluators import RougeOfflineRetrievalEvaluators, TokenizerType
else:
    from ragstone.krag import Document, RougeOfflineRetrievalEvaluators, TokenizerType

rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
evaluator = RougeOfflineRetrievalEvaluators(
    [[Document(page_content=text) for text in row["gold"]] for row in rows],
    [[Document(page_content=text) for text in row["retrieved"]] for row in rows],
    match_method=method,
    threshold=0.5,
    tokenizer=TokenizerType(tokenizer),
)
for k in map(int, cutoffs):
    print(
        k,
        evaluator.calculate_hit_rate(k),
        evaluator.calculate_mrr(k),
        evaluator.calculate_recall(k),
        evaluator.calculate_precision(k),
        evaluator.calculate_f1_score(k),
        evaluator.calculate_map(k),
        evaluator.calculate_ndcg(k),
    )
