#!/bin/bash
# Usage: find_python.sh <name or path>...
# Prints the first of these Pythons that runs here, is 3.11 or newer, and is the version that its name says
# (python3.13). Looks on the PATH, then among the versions that pyenv has installed. Fails if there is none.
set -uo pipefail

fits() {
    "$1" -c 'import sys
found = f"{sys.version_info.major}.{sys.version_info.minor}"
sys.exit(sys.version_info < (3, 11) or sys.argv[1] not in ("", found))' "$2" >/dev/null 2>&1
}

pyenv=${PYENV_ROOT:-$(pyenv root 2>/dev/null || echo "${HOME:-}/.pyenv")}
for name in "$@"; do
    version=
    [[ $name =~ ^python(3\.[0-9]+)$ ]] && version=${BASH_REMATCH[1]}
    for candidate in "$name" ${version:+"$pyenv/versions/$version".*/bin/"$name"}; do
        if fits "$candidate" "$version"; then
            command -v "$candidate"
            exit 0
        fi
    done
done
exit 1
