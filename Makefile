# Every target is a command or two that you could type yourself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
SAM := .venv-sam/bin
PAGES := infra/pages/app/node_modules/.package-lock.json
PAGES_LINT := infra/pages/lint/node_modules/.package-lock.json
PAGES_TYPES := .local/pages/lib/schema.d.ts
PAGES_TESTS := tests/pages/app/node_modules/.package-lock.json
PAGES_MUTATION := infra/tools/pages_mutation/node_modules/.package-lock.json
PAGES_LIGHTHOUSE := infra/tools/lighthouse/node_modules/.package-lock.json
CALENDAR_TESTS := tests/calendars/ical/node_modules/.package-lock.json
SDK := infra/sdk/typescript/node_modules/.package-lock.json
MCP_TESTS := tests/mcp/clients/node_modules/.package-lock.json
WEBHOOKS_TESTS := tests/webhooks/node_modules/.package-lock.json
POLICY_RULES := .local/npm-policy/.ready
LINTERS := .local/npm-openapi
DYNAMODB_LOCAL := .local/npm/.ready
PROGRAMS := infra/local/programs.sh
export PATH := $(CURDIR)/.venv-programs/programs:$(PATH)
export SAM_CLI_TELEMETRY := 0
unexport PYTHONDONTWRITEBYTECODE  # where a shell sets it, each of our processes would compile every module again

NPM_FOLDERS := infra/policy infra/openapi/lint infra/local/dynamodb infra/pages/app infra/pages/lint tests/pages/app infra/tools/pages_mutation infra/tools/lighthouse \
               infra/sdk/typescript tests/webhooks tests/mcp/clients tests/calendars/ical
# What reads and writes texts, mails, times, addresses and TLS, for which versions of Python have their own rules.
VERSION_TESTS := domain models http mail calendars webhooks catalog telemetry test_instants.py
# What reads the clock, but the pages, which have their own file; the second 23:59 and the hour of the autumn night that comes twice in Europe/Paris pass meanwhile.
CLOCK_TESTS := test_instants.py domain models calendars reminders deliveries/test_skew.py deliveries/test_email_quotas.py http/test_credentials.py \
               http/test_idempotency.py http/test_sessions.py $(addprefix functions/,history meetings notifications)
# What writes to the store, whose engine here is not that of the other tests.
ENGINE_TESTS := $(addprefix functions/,account boards committees meetings members reports) faults
PAGES_CLOCK_TESTS := pages/app/test_clocks.py
LARGE_TESTS := large
RANDOM_TESTS := fuzz model
CLOCKS := 2027-12-31T23:59:00Z 2028-02-29T12:00:00Z 2027-10-31T00:59:30Z 2035-06-15T12:00:00Z
COMMA := ,
NPM_LOCK := --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved
LOCK := --quiet --generate-hashes --allow-unsafe --no-header --no-emit-index-url \
        --no-emit-find-links --no-emit-trusted-host

.PHONY: help run run-lambda reset test test-fast test-slow test-versions test-version test-clocks test-days test-engine test-large test-random test-lambda release-check check check-types check-rules audit format openapi workflows edge sdk build bench scale fuzz model series mutants mutants-all mutants-pages lighthouse rehearse verify deploy take-back undeploy lock pages programs pictures dynamodb-local

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.ready pages ## run the whole service on this machine (PORT, HOST, ENGINE, ENGINE_PORT); Ctrl-C stops it and keeps the data
	@exec $(BIN)/python -m infra.local.run

run-lambda: build ## run the built functions, each in Lambda's own runtime
	@exec $(BIN)/python -m infra.local.run_lambda

reset: $(VENV)/.ready ## delete the data of `make run` (LOCAL_STATE)
	@$(BIN)/python -m infra.local.reset

test: ## run the quick tests and the slow ones; installs what they need, and names what did not run without it
	@failed=0; for part in test-fast test-slow; do $(MAKE) --silent $$part || failed=1; done; exit $$failed

test-fast: $(VENV)/.ready
	@$(call where_possible,$(PAGES) $(PAGES_TESTS) $(SDK))
	@$(BIN)/pytest -q -n auto -m "not slow"

test-slow: $(VENV)/.ready .venv-sam/.ready .venv-emulator/.ready .venv-sdk/.ready programs
	@$(BIN)/pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m slow $(addprefix --ignore tests/,$(PAGES_CLOCK_TESTS) $(LARGE_TESTS) $(RANDOM_TESTS))  # many of them wait, and those of a file share one service

programs: ## install the programs and npm packages that tests need, as far as this machine lets you
	@$(PROGRAMS) node java javac chromium go pdfsig qpdf
	@$(call where_possible,$(PAGES) $(PAGES_TESTS) $(WEBHOOKS_TESTS) $(CALENDAR_TESTS) $(MCP_TESTS) $(SDK) $(DYNAMODB_LOCAL) $(POLICY_RULES) $(LINTERS)/.ready .venv-workflows/.ready .venv-calendars/.ready .venv-pdfa/.ready)

test-versions: ## run the tests of what differs between versions of Python on those that the functions do not run on
	@for version in 3.11 3.12; do \
	    PYTHON=python$$version $(PROGRAMS) venv; \
	    if infra/local/find_python.sh python$$version >/dev/null; then \
	        $(MAKE) --silent test-version VENV=.venv-$$version PYTHON=python$$version || exit 1; \
	    else \
	        echo "Nothing was tested on Python $$version: it is neither on this machine nor among the system's packages."; \
	    fi; \
	done

test-version: $(VENV)/.ready
	@$(BIN)/pytest -q -n 2 -m "not slow" $(addprefix tests/,$(subst $(COMMA), ,$(VERSION_TESTS)))

test-clocks: $(VENV)/.ready ## run the tests of what reads the clock at the end of a year, on 29 February, in the night of autumn and in 2035
	@for start in $(CLOCKS); do \
	    echo "At $$start:"; \
	    $(BIN)/pytest -q -n 2 -m "not slow" --at $$start $(addprefix tests/,$(subst $(COMMA), ,$(CLOCK_TESTS))) || exit 1; \
	done

test-days: $(VENV)/.ready ## run the tests of the pages' modules at the same instants and on each day of two years, in three zones
	@$(call where_possible,$(PAGES) $(PAGES_TESTS))
	@CLOCKS="$(CLOCKS)" $(BIN)/pytest -q -n 2 -m slow tests/$(PAGES_CLOCK_TESTS)

test-engine: $(VENV)/.ready $(DYNAMODB_LOCAL) ## run the handler tests and fault tests on DynamoDB Local
	@$(BIN)/pytest -q -n 2 -m "not slow" --engine dynamodb-local $(addprefix tests/,$(subst $(COMMA), ,$(ENGINE_TESTS)))

test-large: $(VENV)/.ready ## run the tests with a hundred thousand rows
	@$(BIN)/pytest -q -n 2 -m slow $(addprefix tests/,$(subst $(COMMA), ,$(LARGE_TESTS)))

test-random: $(VENV)/.ready ## run the tests that send random requests; `make fuzz` and `make model` send more
	@$(BIN)/pytest -q -n 2 -m slow $(addprefix tests/,$(RANDOM_TESTS))

test-lambda: build ## run the end-to-end tests against `make run-lambda`
	@E2E_RUN=infra.local.run_lambda $(BIN)/pytest -q -m slow tests/e2e

check: check-types check-rules ## check style, types, imports, the template and the API document

check-types: $(VENV)/.ready
	@$(BIN)/mypy

check-rules: $(VENV)/.ready .venv-sam/.ready $(POLICY_RULES) $(LINTERS)/.ready $(PAGES_LINT) $(PAGES) $(PAGES_TYPES)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/cfn-lint
	@AWS_DEFAULT_REGION=eu-west-1 $(SAM)/sam validate --lint
	@$(BIN)/python -m infra.policy.check
	@$(BIN)/python -W ignore -m infra.policy.lint
	@infra/pages/lint/node_modules/.bin/eslint --config infra/pages/lint/eslint.config.js infra/pages/app/web
	@$(BIN)/python -m infra.pages.app.build .local/pages
	@node infra/pages/lint/types.mjs infra/pages/app/web .local/pages
	@$(LINTERS)/node_modules/.bin/spectral lint --quiet --fail-severity hint --ruleset infra/openapi/lint/spectral.yaml openapi.json
	@$(BIN)/python -m infra.openapi.compatibility
	@$(BIN)/python -m infra.openapi.site https://board.example .local/documents
	@REDOCLY_TELEMETRY=off $(LINTERS)/node_modules/.bin/redocly lint --config infra/openapi/lint/redocly.yaml openapi.json .local/documents/arazzo/*.json
	@node infra/openapi/lint/asyncapi.mjs $(LINTERS) .local/documents/asyncapi.json
	@$(LINTERS)/node_modules/.bin/spectral lint --quiet --fail-severity hint --ruleset infra/openapi/lint/arazzo.yaml .local/documents/arazzo/*.json

audit: $(VENV)/.ready .venv-audit/.ready ## report known vulnerabilities of the locked packages (AUDIT_OFFLINE=allow: pass if no service is reachable)
	@$(BIN)/python -m infra.policy.audit

format: $(VENV)/.ready ## format the code
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format --quiet

openapi: $(VENV)/.ready ## write openapi.json and what agents are told from the routes and the catalog
	@$(BIN)/python -m infra.openapi.document
	@$(BIN)/python -m infra.catalog.agents

workflows: $(VENV)/.ready .venv-workflows/.ready $(LINTERS)/.ready ## run the workflows that a service publishes in two foreign runners (URL, SESSION; by default `make run` and a demo user)
	@$(BIN)/python -m infra.tools.workflows.run $(URL)

edge: $(VENV)/.ready ## copy the edge functions into the CDN's template
	@$(BIN)/python -m infra.cdn.embed

sdk: $(VENV)/.ready .venv-sdk/.ready $(SDK) ## build the clients of the API, in dist
	@$(BIN)/python -m infra.sdk.build

build: $(VENV)/.ready .venv-sam/.ready ## build what `make deploy` ships, in .aws-sam/build
	@$(BIN)/python -m infra.build.main

bench: build dynamodb-local ## compare with bare handlers, Powertools' guide and FastAPI, and measure rings of the live channel (CHECK=1: compare the responses only); writes infra/tools/bench/results.md and rings.md
	@$(BIN)/python -m infra.tools.bench.main $(if $(CHECK),--check)

scale: dynamodb-local ## measure calls, units and bytes of lists and writes at four sizes, and print a month's bill; writes infra/tools/scale/scale.md
	@$(BIN)/python -m infra.tools.scale.main

mutants-pages: $(VENV)/.ready $(PAGES) $(PAGES_MUTATION) ## change one thing of the pages' modules at a time; a test must notice (MODULES)
	@$(BIN)/python -m infra.tools.pages_mutation.run

lighthouse: $(VENV)/.ready $(PAGES_LIGHTHOUSE) ## measure how fast the root and a meeting of `make run` are (Chromium)
	@$(PROGRAMS) chromium
	@$(BIN)/python -m infra.tools.lighthouse.run

release-check: ## run everything, also the stages that `.ci/run` leaves out where nothing that they cover has changed (tests/stages.py)
	@CI_BASE=none .ci/run

rehearse: build pages .venv-emulator/.ready ## deploy everything to an emulator, verify it, delete it; lists what the emulator cannot show
	@$(BIN)/python -m infra.tools.rehearsal

verify: $(VENV)/.ready ## check a running service from outside (URL; TOKEN: a user's, for the checks that need one)
	@$(BIN)/python -m infra.verify $(URL)

fuzz: $(VENV)/.ready ## send 200,000 requests generated from the OpenAPI document (CASES, PROCESSES, FIRST: the first round)
	@PYTHONPATH=.:shared POWERTOOLS_LOG_LEVEL=CRITICAL $(BIN)/python -W ignore -m tests.fuzz.main

model: $(VENV)/.ready ## compare 100,000 responses to random requests with a simple model (STEPS, PROCESSES, FIRST: the first seed), then rights over 20,000 steps (RIGHTS_STEPS)
	@PYTHONPATH=.:shared $(BIN)/python -m tests.model.main

series: $(VENV)/.ready programs ## read feeds in two foreign readers after each of 500 random edits of series in each of 12 zones, then run 1,000 histories of carry-over (EDITS, HISTORIES)
	@EDITS=$(or $(EDITS),500) HISTORIES=$(or $(HISTORIES),1000) $(BIN)/pytest -q -n 2 tests/calendars/test_series.py tests/functions/series/test_histories.py

mutants: $(VENV)/.ready ## change one thing at a time in FILES, or in the lines that differ from BASE (main), and print what no test notices (PROCESSES)
	@$(BIN)/python -m infra.tools.mutation.run $(FILES)

mutants-all: $(VENV)/.ready ## the same for all of domain, usecases and store; takes hours
	@$(BIN)/python -m infra.tools.mutation.run all

deploy: build $(PAGES) ## check the account, then build and deploy firewall, service and pages (STACK, PARAMETERS, YES=1; infra/RUNBOOK.md)
	@$(BIN)/python -m infra.deployment.deploy

take-back: $(VENV)/.ready ## let callers reach the versions before the last release, in seconds (STACK; infra/RUNBOOK.md)
	@$(BIN)/python -m infra.deployment.take_back

undeploy: $(VENV)/.ready ## delete an installation with all of its data, after its name was typed (STACK)
	@$(BIN)/python -m infra.deployment.undeploy

lock: $(VENV)/.ready ## resolve and lock the dependencies
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --extra dev --output-file requirements-dev.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --constraint requirements-dev.lock --output-file requirements-packs.lock requirements-packs.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --constraint requirements-dev.lock --output-file requirements-minutes.lock requirements-minutes.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --no-strip-extras --no-annotate --output-file requirements-sam.lock requirements-sam.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-emulator.lock requirements-emulator.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-audit.lock requirements-audit.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-programs.lock requirements-programs.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-go.lock requirements-go.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-sdk.lock requirements-sdk.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-calendars.lock requirements-calendars.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file requirements-pdfa.lock requirements-pdfa.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --output-file infra/tools/bench/requirements.lock infra/tools/bench/requirements.in
	@$(BIN)/pip-compile $(LOCK) --upgrade --strip-extras --no-annotate --output-file infra/tools/workflows/requirements.lock infra/tools/workflows/requirements.in
	@for folder in $(NPM_FOLDERS); do npm install --silent $(NPM_LOCK) --prefix $$folder; done

pages: ## install what the pages take from npm; where that fails, `make run` serves the API alone and says so
	@$(call where_possible,$(PAGES))

pictures: $(VENV)/.ready $(PAGES) ## take the pictures of the pages in README.md (Chromium)
	@$(PROGRAMS) chromium
	@$(BIN)/python -m infra.tools.pictures

dynamodb-local: $(DYNAMODB_LOCAL) ## download Amazon's DynamoDB Local for ENGINE=dynamodb-local and the race tests, and Java
	@$(PROGRAMS) java

%/node_modules/.package-lock.json: %/package-lock.json
	@$(PROGRAMS) node
	@infra/pages/app/setup.sh $*
	@touch $@

$(PAGES_TYPES): openapi.json $(SDK)
	@mkdir -p $(@D)
	@infra/sdk/typescript/node_modules/.bin/openapi-typescript $< --output $@ --default-non-nullable=false >/dev/null

$(POLICY_RULES): infra/policy/package-lock.json
	$(install_from_lock)

$(DYNAMODB_LOCAL): infra/local/dynamodb/package-lock.json
	$(install_from_lock)

$(LINTERS)/.ready: infra/openapi/lint/package-lock.json
	$(install_from_lock)

# Makes these files as far as this machine lets you; what fails says so in its own words, without those of make.
where_possible = $(MAKE) --silent --keep-going $(1) 2>&1 | grep --line-buffered -v '^make\b' || true

# Installs the npm packages of a lock file, which has their hashes, beside the target; runs none of their scripts.
define install_from_lock
@$(PROGRAMS) node
@mkdir -p $(@D) && cp $(<D)/package.json $(<D)/package-lock.json $(@D)
@npm ci --silent --ignore-scripts --prefix $(@D)
@touch $@
endef

# To use another Python in a second environment: make test-fast VENV=.venv-3.13 PYTHON=python3.13
$(VENV)/.ready: requirements-dev.lock pyproject.toml
	@$(PROGRAMS) venv
	@infra/local/setup.sh $(VENV) requirements-dev.lock

.venv-audit/.ready: requirements-audit.lock
	@infra/local/setup.sh .venv-audit requirements-audit.lock

.venv-workflows/.ready: infra/tools/workflows/requirements.lock
	@infra/local/setup.sh .venv-workflows infra/tools/workflows/requirements.lock

.venv-calendars/.ready: requirements-calendars.lock
	@infra/local/setup.sh .venv-calendars requirements-calendars.lock

.venv-pdfa/.ready: requirements-pdfa.lock
	@infra/local/setup.sh .venv-pdfa requirements-pdfa.lock

.venv-sdk/.ready: requirements-sdk.lock
	@infra/local/setup.sh .venv-sdk requirements-sdk.lock

.venv-sam/.ready: requirements-sam.lock
	@infra/local/setup.sh .venv-sam requirements-sam.lock python3.13

# Prefers the functions' runtime: the emulator of `make rehearse` runs functions on its own Python.
.venv-emulator/.ready: requirements-emulator.lock
	@infra/local/setup.sh .venv-emulator requirements-emulator.lock python3.13
