#!/usr/bin/env bash
# Fail the job, or let it go on. An error fails whatever the inputs say.
set -uo pipefail

verdict=${VERDICT:-error}
code=${CODE:-3}
echo "ragstone: $verdict (exit code $code)"
if [ "$code" = 0 ]; then
    exit 0
elif [ "$verdict" != error ] && [ "$FAIL_ON_REGRESSION" = false ]; then
    exit 0
fi
exit "$code"
