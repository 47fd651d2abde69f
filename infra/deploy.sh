#!/bin/bash
# `make deploy`: deploys the firewall (to us-east-1, as CloudFront demands), the service and its pages.
# PARAMETERS names a file with lines Name=Value; STACK is the name of the stack. infra/RUNBOOK.md lists the parameters.
set -euo pipefail
stack=${STACK:-board-governance}
file=${PARAMETERS:-deploy.parameters}
sam=.venv-sam/bin/sam

[ -f "$file" ] || {
    echo "The file $file with the stack's parameters does not exist; infra/RUNBOOK.md shows an example." >&2
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
