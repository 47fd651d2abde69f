"""A daily backup of the table is copied to another account, if a parameter names a vault there (ADR restore)."""

from __future__ import annotations

from tests.contract.templates import MAIN, STACKS

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
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": ["cloudwatch.amazonaws.com", "events.amazonaws.com"]}


def test_a_vault_that_holds_backups_outlives_the_stack() -> None:
    assert BACKUP.document["Resources"]["Vault"]["DeletionPolicy"] == "RetainExceptOnCreate"
