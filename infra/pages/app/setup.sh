#!/bin/bash
# Usage: setup.sh <folder with package-lock.json>
# Installs what the lock names, exactly. A failure is one sentence and a non-zero exit.
set -uo pipefail
cd "$1" || exit 1

fail() {
    echo "The packages of the pages cannot be installed: $1" >&2
    exit 1
}

command -v npm >/dev/null || fail "npm was not found and cannot be installed from here. Install Node.js 20.19 or newer, then run \`make pages\`."
log=$(mktemp) || fail "no temporary file can be made."
trap 'rm -f "$log"' EXIT
npm ci --ignore-scripts --no-audit --no-fund >"$log" 2>&1 || fail "$(grep -m1 -E 'npm (error|ERR!)' "$log" || tail -1 "$log")"
