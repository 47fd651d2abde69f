"""Bugs in the templates and the Makefile: roles, secrets, the firewall, headers and packages."""

from __future__ import annotations

from tests.seeded_bugs.bug import ROOT, Bug

BUGS = (
    Bug(
        "the public function changes memberships",
        ROOT / "template.yaml",
        '{ dynamodb:LeadingKeys: ["GUESTS#*", "RATE#*"] }',
        '{ dynamodb:LeadingKeys: ["BOARD#*", "GUESTS#*", "RATE#*"] }',
        "tests/contract/test_privileges.py::test_a_public_function_writes_nothing_in_a_boards_partition",
    ),
    Bug(
        "the public function replaces rows of a board",
        ROOT / "template.yaml",
        '{ dynamodb:LeadingKeys: ["AUDIT#*", "EVENTS#*", "GUESTS#*"] }',
        '{ dynamodb:LeadingKeys: ["AUDIT#*", "BOARD#*", "EVENTS#*", "GUESTS#*"] }',
        "tests/contract/test_privileges.py::test_a_public_function_writes_nothing_in_a_boards_partition",
    ),
    Bug(
        "the public function of feeds changes who a user is",
        ROOT / "template.yaml",
        "{ dynamodb:Attributes: [PK, SK, boardIds] }",
        "{ dynamodb:Attributes: [PK, SK, id, boardIds] }",
        "tests/contract/test_privileges.py::test_code_in_a_function_that_anybody_reaches_becomes_nobody_else",
    ),
    Bug(
        "the function of received mails writes memberships",
        ROOT / "template.yaml",
        '{ dynamodb:LeadingKeys: ["AUDIT#*", "EVENTS#*", "GUARD#*"] }',
        '{ dynamodb:LeadingKeys: ["AUDIT#*", "BOARD#*", "EVENTS#*", "GUARD#*"] }',
        "tests/contract/test_privileges.py::test_code_in_a_function_that_anybody_reaches_becomes_nobody_else",
    ),
    Bug(
        "the API believes a client's own statement of its address",
        ROOT / "infra/cdn/api.js",
        "  request.headers['x-viewer-address'] = { value: event.viewer.ip };\n",
        "",
        "tests/cdn/test_template.py::test_the_api_learns_the_address_that_the_cdn_saw",
    ),
    Bug(
        "the public function has the session secret",
        ROOT / "template.yaml",
        "      Role: !GetAtt GuestsRole.Arn\n      Environment:\n        Variables:\n",
        "      Role: !GetAtt GuestsRole.Arn\n      Environment:\n        Variables:\n          JWT_SECRET: x\n",
        "tests/contract/test_secrets.py::test_a_public_function_has_the_origin_secrets_only",
    ),
    Bug(
        "the stack takes a key set over plain http",
        ROOT / "template.yaml",
        'AllowedPattern: "https://.+|"\n    Description: URL of the issuer\'s key set',
        'AllowedPattern: "https?://.+|"\n    Description: URL of the issuer\'s key set',
        "tests/contract/test_secrets.py::test_a_key_set_that_is_not_fetched_by_https_is_refused",
    ),
    Bug(
        "browsers do not see Link",
        ROOT / "template.yaml",
        "idempotent-replayed, link, ratelimit-limit",
        "idempotent-replayed, ratelimit-limit",
        "tests/contract/test_template_stack.py::test_no_browser_may_call_the_api_unless_its_origin_is_named",
    ),
    Bug(
        "the firewall blocks free text in a query",
        ROOT / "infra/firewall/template.yaml",
        "                - { Name: GenericRFI_QUERYARGUMENTS, ActionToUse: { Count: {} } }\n",
        "",
        "tests/contract/test_template_firewall.py::test_the_firewall_never_blocks_free_text",
    ),
    Bug(
        "a page may be framed by any site",
        ROOT / "infra/cdn/template.yaml",
        "        frame-ancestors 'none'; base-uri",
        "        frame-ancestors *; base-uri",
        "tests/cdn/test_headers.py",
    ),
    Bug(
        "npm runs the scripts of packages",
        ROOT / "Makefile",
        "@npm ci --silent --ignore-scripts --prefix",
        "@npm ci --silent --prefix",
        "tests/policy/test_npm_locks.py::test_make_installs_npm_packages_from_lock_files_only_and_runs_none_of_their_scripts",
    ),
)
