#!/usr/bin/env bash
# Install the checkout that this action runs from. Output: python, which has ragstone.
set -euo pipefail

folder="$RUNNER_TEMP/ragstone"
"$PYTHON" -I -m venv --clear "$folder"
python="$folder/bin/python"
[ -e "$python" ] || python="$folder/Scripts/python.exe"
"$python" -I -m pip install --quiet --disable-pip-version-check "$GITHUB_ACTION_PATH"
echo "python=$python" >>"$GITHUB_OUTPUT"
