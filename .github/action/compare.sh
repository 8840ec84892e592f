#!/usr/bin/env bash
# Compare two reports. The inputs come by the environment, as data: no line reads them as code.
# Outputs: verdict, exit-code, report. Whether the job fails is left to the next step.
set -uo pipefail

work=$(mktemp -d) || exit 3
trap 'rm -rf -- "$work"' EXIT
touch "$work/log" "$work/summary" "$work/annotations"
report=${REPORT:-rag-compare.json}
code=2

ragstone() { # isolated: nothing in the working directory is imported
    "$PYTHON" -I -m ragstone "$@" </dev/null
}

refuse() { # MESSAGE, which quotes no input
    echo "error: $1" >"$work/log"
    echo "::error title=ragstone::$1" >"$work/annotations"
    report=
}

compare() {
    local args=(compare "--baseline=$BASELINE" "--candidate=$CANDIDATE" "--out=$report")
    [ -z "$MAX_RECALL_REGRESSION_PCT" ] ||
        args+=("--max-recall-regression-pct=$MAX_RECALL_REGRESSION_PCT")
    [ -z "$MAX_REGRESSION_PCT" ] || args+=("--max-regression-pct=$MAX_REGRESSION_PCT")
    [ -z "$ALPHA" ] || args+=("--alpha=$ALPHA")
    [ -z "$TEST" ] || args+=("--test=$TEST")
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        line=${line#"${line%%[![:space:]]*}"}
        line=${line%"${line##*[![:space:]]}"}
        [ -z "$line" ] || args+=("--budget=$line")
    done <<<"$BUDGETS"
    ragstone "${args[@]}" --top 9 --format markdown \
        --annotations github --annotations-file "$work/annotations" \
        >"$work/summary" 2>"$work/log"
    code=$?
}

verdict() { # what the report says; error where there is none
    "$PYTHON" -I -c '
import json, sys
with open(sys.argv[1], "rb") as file:
    verdict = json.load(file)["predicate"]["verdict"]
print(verdict if verdict in ("pass", "fail", "inconclusive") else "error")
' "$report" 2>/dev/null || echo error
}

print_log() { # inert: between these lines the runner obeys no command that the text may hold
    local token="ragstone-$RANDOM-$RANDOM-$RANDOM-$RANDOM"
    echo "::stop-commands::$token"
    cat "$work/log" "$work/summary"
    echo
    echo "::$token::"
    if [ "$code" != 0 ] && [ ! -s "$work/annotations" ]; then
        echo "::error title=ragstone::no comparison (exit code $code); the log says why"
    fi
    cat "$work/annotations"
}

summarise() { # an indented block is shown as it is
    if [ -s "$work/summary" ]; then
        cat "$work/summary"
    else
        echo "**$(tr '[:lower:]' '[:upper:]' <<<"$found"): no comparison (exit code $code)**"
        echo
        head -c 60000 "$work/log" | sed 's/^/    /'
    fi
}

if [[ $report == *$'\n'* || $report == *$'\r'* ]]; then
    refuse "the input report has more than one line; a path was expected"
elif [ "$report" -ef "$BASELINE" ] || [ "$report" -ef "$CANDIDATE" ]; then
    refuse "the input report is one of the two reports to compare; name another file"
else
    [ ! -f "$report" ] || rm -f -- "$report" # an old report says nothing of this run
    compare
fi

found=$(verdict)
[ -f "$report" ] || report=
[ "$found" != error ] || [ "$code" != 0 ] || code=3
print_log
summarise >>"$GITHUB_STEP_SUMMARY"
{
    echo "verdict=$found"
    echo "exit-code=$code"
    echo "report=$report"
} >>"$GITHUB_OUTPUT"
exit 0
