#!/bin/bash
# Usage: setup.sh <folder> <lock file> [preferred Python]
# Makes a virtual environment with exactly what the lock names, on the Python that it has, else on the functions' runtime
# where that is installed. Whatever fails is one sentence and a non-zero exit.
set -uo pipefail
folder=$1
lock=$2

fail() {
    echo "$1" >&2
    exit 1
}

python=$(infra/local/find_python.sh "${@:3}" ${PYTHON:-"$folder/bin/python" python3.13 python3 python3.12 python3.11}) ||
    fail "Python 3.11 or newer is needed, and none was found; name one with PYTHON=/path/to/python3."

log=$(mktemp) || fail "No temporary file can be made."
trap 'rm -f "$log"' EXIT
echo "Setting up $folder (once, about a minute) ..." >&2
"$python" -m venv "$folder" >"$log" 2>&1 ||
    fail "No virtual environment could be made in $folder; on Debian the package python3-venv is needed."
pip() {
    "$folder/bin/python" -m pip --quiet --disable-pip-version-check "$@" >"$log" 2>&1
}
if ! pip install --require-hashes -r "$lock"; then
    grep -qiE "NewConnectionError|Connection(Error| refused)|Temporary failure|timed out|No matching distribution" "$log" &&
        fail "The packages cannot be installed: no package index is reachable from here."
    fail "The packages cannot be installed: $(grep -m1 ERROR "$log" || tail -1 "$log")"
fi
if [ "$lock" = requirements-dev.lock ]; then
    pip install --no-deps --no-build-isolation --editable . || fail "The project cannot be installed: $(tail -1 "$log")"
fi
touch "$folder/.ready"
