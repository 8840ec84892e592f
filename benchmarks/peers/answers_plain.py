"""Answers by their references alone, with the libraries themselves: a plain loop over the samples.

    answers_plain.py SAMPLES OUT

rouge-score gives ROUGE-1, -2 and -L, sacrebleu chrF and BLEU, the lines of SQuAD's own script exact
match, F1, precision and recall: nine of ragstone's measures. Writes their means.
"""

from __future__ import annotations

import json
import re
import statistics
import string
import sys
from collections import Counter
from pathlib import Path

from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF


def main(samples: Path, out: Path) -> None:
    """Score every sample and write the means."""
    chrf, rouge = CHRF(), RougeScorer(["rouge1", "rouge2", "rougeL"])
    bleu = {name: BLEU(effective_order=True, tokenize=name) for name in ("13a", "char")}
    rows = []
    with samples.open(encoding="utf-8") as file:
        for sample in map(json.loads, file):
            answer, reference = sample["answer"], sample["reference"]
            letters = sum(not char.isascii() for char in reference)  # of Korean and Japanese
            tokenizer = "char" if letters * 2 > len(reference) else "13a"
            found = rouge.score(reference, answer)
            rows.append(
                {
                    **squad(answer, reference),
                    **{name: each.fmeasure for name, each in found.items()},
                    "chrF": chrf.sentence_score(answer, [reference]).score,
                    "BLEU": min(100.0, bleu[tokenizer].sentence_score(answer, [reference]).score),
                }
            )
    means = {name: statistics.fmean(row[name] for row in rows) for name in rows[0]}
    out.write_text(json.dumps(means), encoding="utf-8")


def squad(answer: str, reference: str) -> dict[str, float]:
    """Compare the tokens of SQuAD."""
    mine, gold = tokens(answer), tokens(reference)
    same = sum((Counter(mine) & Counter(gold)).values())
    precision, recall = same / max(1, len(mine)), same / max(1, len(gold))
    return {
        "exact_match": float(mine == gold),
        "token_precision": precision,
        "token_recall": recall,
        "token_f1": 2 * precision * recall / (precision + recall) if same else 0.0,
    }


def tokens(text: str) -> list[str]:
    """Return the tokens of the normalised text."""
    plain = "".join(char for char in text.lower() if char not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", plain).split()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
