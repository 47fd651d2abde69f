"""Bugs in the templates and the Makefile: roles, secrets, the firewall, headers and packages."""

from __future__ import annotations

from tests.seeded_bugs.bug import ROOT, Bug

_PARTITIONS = "tests/contract/test_partition_privileges.py"
_CONFINED = f"{_PARTITIONS}::test_a_function_that_strangers_reach_writes_in_its_own_partitions_only"

BUGS = (
    Bug(
        "the public function changes memberships",
        ROOT / "template.yaml",
        '{ dynamodb:LeadingKeys: ["GUESTS#*", "RATE#*"] }',
        '{ dynamodb:LeadingKeys: ["BOARD#*", "GUESTS#*", "RATE#*"] }',
        _CONFINED,
    ),
    Bug(
        "the public function of feeds writes rows of a user that name certain attributes only, or none",
        ROOT / "template.yaml",
        'dynamodb:LeadingKeys: ["FEED#*", "RATE#*", "USE#*"] } }\n',
        'dynamodb:LeadingKeys: ["FEED#*", "RATE#*", "USE#*", "USER#*"] },'
        " ForAllValues:StringEquals: { dynamodb:Attributes: [PK, SK, boardIds, lastUsedAt] } }\n",
        f"{_PARTITIONS}::test_no_role_is_limited_to_attributes",
    ),
    Bug(
        "the function of received mails writes memberships",
        ROOT / "template.yaml",
        '{ dynamodb:LeadingKeys: ["AUDIT#*", "DUE#*", "EVENTS#*", "GUARD#*", "MEETINGS#*"] }',
        '{ dynamodb:LeadingKeys: ["AUDIT#*", "BOARD#*", "DUE#*", "EVENTS#*", "GUARD#*", "MEETINGS#*"] }',
        _CONFINED,
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
