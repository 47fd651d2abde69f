"""Daily copies of the table and the files in another account (ADR restore), and a restored table in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from infra.policy.simulation import RESTORED, Policies
from tests.contract.templates import MAIN, STACKS
from tests.harness.privileges import as_list

BACKUP = STACKS["backup"]


def test_the_table_that_serves_and_the_files_are_backed_up_and_copied_daily() -> None:
    passed = MAIN.resources("AWS::CloudFormation::Stack")["Backup"]["Parameters"]
    own, restored = {"Fn::GetAtt": ["Table", "Arn"]}, {"Ref": "RestoredTable"}
    assert passed["TableArn"] == {"Fn::If": ["TableIsRestored", restored, own]}
    (selection,) = BACKUP.resources("AWS::Backup::BackupSelection").values()
    assert selection["BackupSelection"]["Resources"] == [{"Ref": "TableArn"}, {"Ref": "PapersArn"}]
    assert passed["PapersArn"] == {"Fn::GetAtt": ["PapersBucket", "Arn"]}
    (role,) = BACKUP.resources("AWS::IAM::Role").values()
    assert "S3Backup" in str(role["ManagedPolicyArns"])
    assert selection["BackupPlanId"] == {"Ref": "Plan"}
    (plan,) = BACKUP.resources("AWS::Backup::BackupPlan").values()
    (rule,) = plan["BackupPlan"]["BackupPlanRule"]
    assert rule["ScheduleExpression"].startswith("cron(0 3 * * ?")
    assert rule["TargetBackupVault"] == {"Ref": "Vault"}
    (copy,) = rule["CopyActions"]
    assert copy["DestinationBackupVaultArn"] == {"Ref": "CopyVault"}
    assert copy["Lifecycle"] == rule["Lifecycle"] == {"DeleteAfterDays": 35}, "as long as the table's own backups"


def test_the_copy_is_made_only_where_a_vault_is_named() -> None:
    assert MAIN.document["Resources"]["Backup"]["Condition"] == "IsCopied"
    assert MAIN.document["Conditions"]["IsCopied"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "BackupVault"}, ""]}]}
    assert MAIN.document["Parameters"]["BackupVault"]["Default"] == ""


def test_a_backup_or_copy_that_fails_wakes_somebody() -> None:
    (rule,) = BACKUP.resources("AWS::Events::Rule").values()
    pattern = rule["EventPattern"]
    assert pattern["detail-type"] == ["Backup Job State Change", "Copy Job State Change"]
    assert {"ABORTED", "EXPIRED", "FAILED"} <= set(pattern["detail"]["state"])
    assert [target["Arn"] for target in rule["Targets"]] == [{"Ref": "AlarmsTopic"}]
    passed = MAIN.resources("AWS::CloudFormation::Stack")["Backup"]["Parameters"]["AlarmsTopic"]
    assert passed == {"Fn::GetAtt": ["Monitoring", "Outputs.AlarmsTopic"]}
    (policy,) = STACKS["monitoring"].resources("AWS::SNS::TopicPolicy").values()
    _, events = policy["PolicyDocument"]["Statement"]
    assert (events["Principal"], events["Resource"]) == ({"Service": "events.amazonaws.com"}, {"Ref": "Alarms"})
    assert "Condition" not in events, "EventBridge sends nothing that a topic's policy could ask for"


def test_a_vault_that_holds_backups_outlives_the_stack() -> None:
    assert BACKUP.document["Resources"]["Vault"]["DeletionPolicy"] == "RetainExceptOnCreate"


def _uses_of_the_table(part: Any) -> Iterator[Any]:
    """The references to the stack's own table, except where another one takes its place by a parameter."""
    if isinstance(part, dict):
        if part.get("Fn::If", [None])[0] == "TableIsRestored":
            return
        named = str(part.get("Ref") or part.get("Fn::Sub") or part.get("Fn::GetAtt"))
        if re.search(r"(^|\{|\[')Table\b", named):
            yield part
    for member in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _uses_of_the_table(member)


def test_a_restored_table_takes_the_place_of_the_own_one_everywhere() -> None:
    assert list(_uses_of_the_table(MAIN.document)) == []
    roles = Policies(MAIN, {"TableIsRestored"}).roles()
    own = Policies(MAIN).arn("Table")
    assert own in str(Policies(MAIN).roles())
    assert own not in str(roles)
    for group, policy in roles.items():
        of_tables = [statement for statement in policy["Statement"] if "dynamodb:" in str(statement["Action"])]
        assert all(arn.startswith(RESTORED) for statement in of_tables for arn in as_list(statement["Resource"])), group
    events = MAIN.resources("AWS::Serverless::Function")["EventsFunction"]["Events"]
    (stream,) = [event["Properties"]["Stream"] for event in events.values() if event["Type"] == "DynamoDB"]
    assert stream["Fn::If"][:2] == ["TableIsRestored", {"Ref": "RestoredTableStream"}]


def test_a_restored_table_is_named_with_its_stream() -> None:
    rule = MAIN.document["Rules"]["ARestoredTableHasItsStream"]
    assert rule["RuleCondition"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "RestoredTable"}, ""]}]}
    assert rule["Assertions"][0]["Assert"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "RestoredTableStream"}, ""]}]}
