#!/bin/bash
# `make deploy`: firewall (us-east-1, where CloudFront wants it), service, pages. Parameters are lines Name=Value in the
# file that PARAMETERS names; STACK is the name of the stack. infra/RUNBOOK.md says which parameters there are.
set -euo pipefail
stack=${STACK:-board-governance}
file=${PARAMETERS:-deploy.parameters}
sam=.venv-sam/bin/sam

[ -f "$file" ] || {
    echo "There is no file $file with the stack's parameters; infra/RUNBOOK.md shows one." >&2
    exit 1
}
mapfile -t parameters < <(grep -v '^\s*\(#\|$\)' "$file")
stage=$(sed -n 's/^Stage=//p' "$file")
catalog=$(sed -n 's/^RateLimitCatalog=//p' "$file")

"$sam" deploy --config-env firewall --template-file infra/firewall/template.yaml --stack-name "$stack-firewall" \
    --parameter-overrides "Stage=${stage:-dev}" "RateLimitCatalog=${catalog:-1000}"
acl=$("$sam" list stack-outputs --stack-name "$stack-firewall" --region us-east-1 --output json |
    .venv/bin/python -c 'import json, sys; print(json.load(sys.stdin)[0]["OutputValue"])')
mapfile -t parameters < <(printf '%s\n' "${parameters[@]}" | grep -v '^RateLimitCatalog=')
"$sam" deploy --stack-name "$stack" --parameter-overrides "WebAclArn=$acl" "${parameters[@]}"
.venv/bin/python -m infra.publish "$stack"
