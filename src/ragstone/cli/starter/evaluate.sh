#!/usr/bin/env bash
# Check the set, run the retriever, score it, and compare with the baseline.
#
#   bash evaluate.sh             compare; the first run becomes the baseline
#   bash evaluate.sh --measure   only measure: out/candidate.json
#   bash evaluate.sh --accept    make this run the new baseline
set -euo pipefail
cd "$(dirname "$0")"

ragstone lint --queries queries.jsonl --qrels qrels.tsv --corpus corpus.jsonl --format table
ragstone run-retriever --config ragstone.toml --out out/candidate.trec
ragstone score --qrels qrels.tsv --run out/candidate.trec --k 3 --out out/candidate.json

if [ "${1:-}" = --measure ]; then
    exit 0
elif [ "${1:-}" = --accept ] || [ ! -e baseline.json ]; then
    cp out/candidate.json baseline.json
    echo "baseline.json is this run now; commit it."
else
    ragstone compare --baseline baseline.json --candidate out/candidate.json --out out/compare.json
fi
