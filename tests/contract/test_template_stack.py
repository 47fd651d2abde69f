"""What a linter does not see in the templates: what must not be lost, kept, shown or allowed."""

import json
import re

import pytest

from governance.ids import BoardId
from governance.store.documents import papers
from infra.cdn.embed import TEMPLATE as CDN
from infra.stack.template import ROOT, Template
from tests.contract.templates import MAIN, STACKS
from tests.harness.privileges import as_list

FUNCTIONS = MAIN.resources("AWS::Serverless::Function")
STRANGERS = ("/api/v1/guest/", "/api/v1/invite/", "/api/v1/paper/", "/api/v1/unsubscribe/", "/calendar/", "/guest/")
SCANNER, RELEASES = "PapersScanRole", "ReleasesRole"
"""The roles of GuardDuty and of CodeDeploy, which are not functions."""
EVERY_ROLE = MAIN.resources("AWS::IAM::Role")
ROLES = {name: role for name, role in EVERY_ROLE.items() if name not in {SCANNER, RELEASES}}
NOTHING = {"Ref": "AWS::NoValue"}
STATEMENTS = [
    (name, statement)
    for name, role in ROLES.items()
    for policy in role["Policies"]
    for statement in policy["PolicyDocument"]["Statement"]
]


def test_every_function_has_a_role_of_its_own() -> None:
    roles = [function["Role"]["Fn::GetAtt"][0] for function in FUNCTIONS.values()]
    assert sorted(roles) == sorted(ROLES)
    for name, role in ROLES.items():
        assert role["ManagedPolicyArns"] == {"Fn::If": ["IsTraced", [{"Ref": "TracingPolicy"}], NOTHING]}, name
    assert all("Policies" not in function for function in FUNCTIONS.values())


def test_one_parameter_bounds_every_role_of_every_stack() -> None:
    bound = {"Fn::If": ["HasBoundary", {"Ref": "PermissionsBoundary"}, NOTHING]}
    for stack in (MAIN, *STACKS.values()):
        for name, role in stack.resources("AWS::IAM::Role").items():
            assert role["PermissionsBoundary"] == bound, name
    nested = MAIN.resources("AWS::CloudFormation::Stack")["Backup"]["Parameters"]
    assert nested["PermissionsBoundary"] == {"Ref": "PermissionsBoundary"}
    assert MAIN.document["Parameters"]["PermissionsBoundary"]["Default"] == ""


def test_the_scanner_is_there_if_its_parameter_says_so_and_reaches_the_bucket_of_papers_alone() -> None:
    resources = MAIN.document["Resources"]
    assert MAIN.document["Parameters"]["MalwareProtection"]["Default"] == "no"
    assert resources["PapersScan"]["Condition"] == resources[SCANNER]["Condition"] == "ScansPapers"
    plan = resources["PapersScan"]["Properties"]
    assert plan["ProtectedResource"] == {
        "S3Bucket": {"BucketName": {"Ref": "PapersBucket"}, "ObjectPrefixes": ["papers/"]}
    }
    assert plan["Actions"] == {"Tagging": {"Status": "ENABLED"}}
    (policy,) = resources[SCANNER]["Properties"]["Policies"]
    for statement in policy["PolicyDocument"]["Statement"]:
        told = str(statement["Resource"])
        assert "PapersBucket" in told or "rule/DO-NOT-DELETE-AmazonGuardDutyMalwareProtectionS3*" in told
        assert not {"s3:DeleteObject", "s3:*"} & set(as_list(statement["Action"]))


def test_every_statement_about_items_says_which_partitions() -> None:
    for name, statement in STATEMENTS:
        items = {action for action in as_list(statement["Action"]) if action.startswith("dynamodb:")}
        if not all(re.search("Stream|Record|Shard", action) for action in items):
            assert statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"], name


def test_a_function_writes_its_own_log_only() -> None:
    logs = [(name, right["Resource"]) for name, right in STATEMENTS if "logs:PutLogEvents" in as_list(right["Action"])]
    assert logs == [(name, {"Fn::GetAtt": [name.replace("Role", "Log"), "Arn"]}) for name in ROLES]


def test_what_is_called_is_a_published_version_with_its_code_layers_and_settings() -> None:
    """Code and layers of a function are updated by two calls: between them, what is called directly fails to import."""
    shared = MAIN.document["Globals"]["Function"]
    assert (shared["AutoPublishAlias"], shared["AutoPublishAliasAllProperties"]) == ("live", True)
    assert shared["Description"]["Fn::Sub"].endswith(", release 0"), "`make deploy` replaces it"
    assert not [name for name, body in FUNCTIONS.items() if {"AutoPublishAlias", "Description"} & body.keys()]
    for layer in MAIN.resources("AWS::Serverless::LayerVersion").values():
        assert layer["PublishLambdaVersion"] is True
    integrations = {name: body for name, body in MAIN.document["Resources"].items() if name.endswith("Integration")}
    for name, body in integrations.items():
        assert body["Properties"]["IntegrationUri"]["Fn::Sub"].endswith("Function}:live")
        assert body["DependsOn"] == name.replace("Integration", "Permission"), "which waits for the alias"
    called = [
        *(body["FunctionName"] for body in MAIN.resources("AWS::Lambda::Permission").values()),
        MAIN.resources("AWS::CloudFormation::Stack")["Inbound"]["Parameters"]["FunctionArn"],
    ]
    assert {function["Ref"].partition(".")[2] for function in called} == {"Alias"}


def test_a_release_may_begin_with_a_tenth_of_the_calls_and_goes_back_where_clients_get_errors() -> None:
    preference = MAIN.document["Globals"]["Function"]["DeploymentPreference"]
    assert preference["Enabled"] == {"Ref": "GradualRelease"}
    assert preference["Role"] == {"Fn::If": ["ReleasesGradually", {"Fn::GetAtt": [RELEASES, "Arn"]}, NOTHING]}
    assert MAIN.document["Parameters"]["GradualRelease"]["Default"] == "false"
    alarms = MAIN.resources("AWS::CloudWatch::Alarm")
    for name, function in FUNCTIONS.items():
        condition, watched, otherwise = function["DeploymentPreference"]["Alarms"]["Fn::If"]
        assert (condition, otherwise) == ("ReleasesGradually", [NOTHING])
        crashes, errors = (alarms[alarm["Ref"]] for alarm in watched)
        assert (crashes["MetricName"], errors["MetricName"]) == ("Crashes", "Errors")
        assert errors["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": name}}]


def test_one_error_takes_no_release_back_and_the_alarms_of_releases_are_paid_for_with_them() -> None:
    alarms = MAIN.resources("AWS::CloudWatch::Alarm")
    assert len(alarms) == len(FUNCTIONS) + 1
    for name, alarm in alarms.items():
        assert MAIN.document["Resources"][name]["Condition"] == "ReleasesGradually"
        assert (alarm["Period"], alarm["DatapointsToAlarm"], alarm["EvaluationPeriods"]) == (60, 2, 5), name
        assert (alarm["Threshold"], alarm["TreatMissingData"]) == (0, "notBreaching")


def test_who_reads_an_object_that_may_be_absent_may_ask_whether_it_is_there() -> None:
    """Without s3:ListBucket, S3 calls what is not there forbidden, as if the role were wrong."""
    signing = ["avatars/*", "exports/*"]  # addresses, of objects that a row names
    for name in ROLES:
        statements = [statement for role, statement in STATEMENTS if role == name]
        read = {
            target
            for statement in statements
            if "s3:GetObject" in as_list(statement["Action"])
            for resource in as_list(statement["Resource"])
            for target in re.findall(r"\$\{(\w+)\.Arn\}/(.+)", resource["Fn::Sub"])
        }
        asked = {
            (statement["Resource"]["Fn::GetAtt"][0], prefix)
            for statement in statements
            if statement["Action"] == "s3:ListBucket" and "Condition" in statement
            for prefix in as_list(statement["Condition"]["StringLike"]["s3:prefix"])
        }
        assert {target for target in read if target[1] not in signing} <= asked, name


def test_data_outlive_the_stack() -> None:
    for name in ("Table", "StaticBucket", "PapersBucket", "WebhookKey"):
        body = MAIN.document["Resources"][name]
        assert body["DeletionPolicy"] in {"Retain", "RetainExceptOnCreate"}
        assert body["UpdateReplacePolicy"] == "Retain"


def test_a_first_deployment_that_fails_leaves_only_what_is_protected_from_deletion() -> None:
    """CloudFormation could not delete a protected table and would leave the whole stack in a state of failure."""
    for name in ("StaticBucket", "PapersBucket", "WebhookKey"):
        assert MAIN.document["Resources"][name]["DeletionPolicy"] == "RetainExceptOnCreate"
    kept = [name for name, body in MAIN.document["Resources"].items() if body.get("DeletionPolicy") == "Retain"]
    assert kept == ["Table"]
    assert MAIN.table()["DeletionProtectionEnabled"] is True


@pytest.mark.parametrize("name", ["StaticBucket", "PapersBucket"])
def test_a_bucket_is_private_versioned_and_hashes_as_s3_does(name: str) -> None:
    bucket = MAIN.resources("AWS::S3::Bucket")[name]
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule == {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}


def test_papers_are_read_over_tls_and_from_outside_by_the_distribution_of_files_alone() -> None:
    policies = MAIN.resources("AWS::S3::BucketPolicy")
    deny, allow = policies["PapersBucketPolicy"]["PolicyDocument"]["Statement"]
    assert (deny["Effect"], deny["Principal"], deny["Action"]) == ("Deny", "*", "s3:*")
    assert deny["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert (allow["Action"], allow["Resource"]) == ("s3:GetObject", {"Fn::Sub": "${PapersBucket.Arn}/papers/*"})
    assert allow["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    assert allow["Condition"].keys() == {"StringEquals"}
    source = allow["Condition"]["StringEquals"]["AWS:SourceArn"]["Fn::Sub"]
    assert source.endswith(":distribution/${Downloads.Outputs.DistributionId}")
    others = policies["StaticBucketPolicy"]["PolicyDocument"]["Statement"]
    (exports,) = [statement for statement in others if statement["Condition"] == allow["Condition"]]
    assert (exports["Action"], exports["Resource"]) == (allow["Action"], {"Fn::Sub": "${StaticBucket.Arn}/exports/*"})


def test_papers_are_sent_by_the_pages_of_the_service_alone() -> None:
    bucket = MAIN.resources("AWS::S3::Bucket")["PapersBucket"]
    (rule,) = bucket["CorsConfiguration"]["CorsRules"]
    assert (rule["AllowedMethods"], rule["AllowedOrigins"]) == (["POST"], [{"Fn::GetAtt": ["Cdn", "Outputs.RootUrl"]}])
    given = MAIN.document["Resources"]["Cdn"]["Properties"]["Parameters"]["PapersOrigin"]["Fn::Sub"]
    assert given == f"https://{bucket['BucketName']['Fn::Sub']}.s3.${{AWS::Region}}.${{AWS::URLSuffix}}"


def test_a_deleted_paper_is_kept_as_long_as_the_backups_of_the_table_and_what_forms_bring_for_a_day() -> None:
    bucket = MAIN.resources("AWS::S3::Bucket")["PapersBucket"]
    rule, sent = bucket["LifecycleConfiguration"]["Rules"]
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 35}
    assert not {"ExpirationInDays", "Prefix"} & set(rule)
    assert rule["ExpiredObjectDeleteMarker"] is True
    assert papers.upload_key(BoardId("1"), "2", "3") == f"{sent['Prefix']}1/2/3"
    assert (sent["ExpirationInDays"], sent["NoncurrentVersionExpiration"]) == (1, {"NoncurrentDays": 1})
    assert {sent["Status"], rule["Status"]} == {"Enabled"}
    assert not papers.FOLDER.startswith(sent["Prefix"])


def test_what_strangers_call_is_throttled_by_route() -> None:
    """Every route of the functions that serve public paths, and only routes that exist before the stage."""
    (stage,) = (body for body in MAIN.document["Resources"].values() if body["Type"] == "AWS::ApiGatewayV2::Stage")
    routes = {body["RouteKey"]: name for name, body in MAIN.resources("AWS::ApiGatewayV2::Route").items()}
    public = {f"ANY {route.path}" for route in MAIN.routes() if route.path.startswith(STRANGERS)}
    settings = stage["Properties"]["RouteSettings"]
    assert settings.keys() == public
    assert {routes[key] for key in settings} == set(stage["DependsOn"])
    whole, parameters = stage["Properties"]["DefaultRouteSettings"], MAIN.document["Parameters"]
    rate = "RequestsPerSecond"
    for throttles, name in [(whole, rate), *((limit, f"Public{rate}") for limit in settings.values())]:
        assert throttles == {"ThrottlingBurstLimit": {"Ref": name}, "ThrottlingRateLimit": {"Ref": name}}
    assert parameters["PublicRequestsPerSecond"]["Default"] <= parameters["RequestsPerSecond"]["Default"] / 5


@pytest.mark.parametrize(
    ("name", "spec", "role"),
    [("LogKey", "ECC_NIST_EDWARDS25519", "SealerRole"), ("SealKey", "ECC_NIST_P256", "MinutesFilesRole")],
)
def test_one_function_may_sign_with_a_key(name: str, spec: str, role: str) -> None:
    key = MAIN.resources("AWS::KMS::Key")[name]
    assert (key["KeySpec"], key["KeyUsage"]) == (spec, "SIGN_VERIFY")
    signing = [right for right in key["KeyPolicy"]["Statement"] if "kms:Sign" in as_list(right["Action"])]
    assert [right["Condition"]["ArnEquals"]["aws:PrincipalArn"]["Fn::Sub"].rpartition("/")[2] for right in signing] == [
        ROLES[role]["RoleName"]["Fn::Sub"]
    ]
    granted = {role for role, right in STATEMENTS if "kms:Sign" in as_list(right["Action"]) and name in str(right)}
    assert granted == {role}


def test_the_names_of_roles_in_the_policy_of_the_key_are_never_cut() -> None:
    longest = {"${Stage}": "s" * 16, "${AWS::Region}": "ap-northeast-1"}
    for role in ROLES.values():
        if name := role.get("RoleName", {}).get("Fn::Sub"):
            for variable, value in longest.items():
                name = name.replace(variable, value)
            assert len(name) <= 64


def test_a_webhook_leads_nowhere_but_to_public_addresses_in_the_cloud() -> None:
    assert "WEBHOOK_ALLOW_LOOPBACK" not in (ROOT / "template.yaml").read_text()


def test_both_origin_secrets_are_accepted_and_one_is_sent() -> None:
    shared = MAIN.resources("AWS::SecretsManager::Secret")["RequestSecrets"]["SecretString"]["Fn::Sub"][0]
    accepted = json.loads(shared)["ORIGIN_SECRETS"]
    assert re.findall(r"\$\{(\w+)\}", accepted) == ["OriginSecretA", "OriginSecretB"]
    sent = MAIN.resources("AWS::CloudFormation::Stack")["Cdn"]["Parameters"]["OriginSecretArn"]
    assert sent == {"Fn::If": ["SendsA", {"Ref": "OriginSecretA"}, {"Ref": "OriginSecretB"}]}


def test_a_new_revision_of_secrets_reaches_whatever_reads_them() -> None:
    assert "${SecretsRevision}" in MAIN.document["Globals"]["Function"]["Description"]["Fn::Sub"]
    shared = MAIN.resources("AWS::SecretsManager::Secret")["RequestSecrets"]["SecretString"]["Fn::Sub"][0]
    assert json.loads(shared)["revision"] == "${SecretsRevision}"
    (distribution,) = Template(CDN).resources("AWS::CloudFront::Distribution").values()
    assert "${SecretsRevision}" in distribution["DistributionConfig"]["Comment"]["Fn::Sub"]


def test_no_secret_is_a_parameter() -> None:
    assert {name for name in MAIN.document["Parameters"] if "Secret" in name} == {"OriginSecretSent", "SecretsRevision"}


def test_no_browser_may_call_the_api_unless_its_origin_is_named() -> None:
    (api,) = MAIN.resources("AWS::ApiGatewayV2::Api").values()
    condition, cors, otherwise = api["CorsConfiguration"]["Fn::If"]
    assert (condition, otherwise) == ("HasOrigins", NOTHING)
    assert cors["AllowOrigins"] == {"Ref": "AllowedOrigins"}
    assert "AllowCredentials" not in cors
    assert {"link", "retry-after", "x-request-id"} <= set(cors["ExposeHeaders"])
    assert MAIN.document["Parameters"]["AllowedOrigins"]["Default"] == ""


def test_a_mail_has_our_address_and_bounces_are_counted() -> None:
    destinations = MAIN.resources("AWS::SES::ConfigurationSetEventDestination")
    counted = destinations["MailEvents"]["EventDestination"]
    assert {"bounce", "complaint"} <= set(counted["MatchingEventTypes"])
    assert MAIN.environment()["MAIL_CONFIGURATION_SET"] == {"Ref": "MailConfiguration"}
    identity = MAIN.resources("AWS::SES::EmailIdentity")["MailIdentity"]
    assert identity["FeedbackAttributes"] == {"EmailForwardingEnabled": False}, "nobody reads no-reply@"
    senders = [statement for _, statement in STATEMENTS if "ses:SendEmail" in as_list(statement["Action"])]
    assert len(senders) == 3
    for statement in senders:
        identities, configuration = [resource["Fn::Sub"] for resource in statement["Resource"]]
        assert identities.endswith(":identity/*")  # in the sandbox the recipient's identity is asked for too
        assert configuration.endswith(":configuration-set/${MailConfiguration}")
        assert statement["Condition"] == {"StringEquals": {"ses:FromAddress": {"Fn::Sub": "no-reply@${MailDomain}"}}}


def test_bounces_and_complaints_go_to_the_function_and_nobody_else_may_report_any() -> None:
    reports = MAIN.document["Resources"]["MailReports"]
    destination = reports["Properties"]["EventDestination"]
    assert (destination["Enabled"], destination["MatchingEventTypes"]) == (True, ["bounce", "complaint"])
    assert destination["SnsDestination"] == {"TopicARN": {"Ref": "MailFeedbackTopic"}}
    assert set(reports["DependsOn"]) == {"MailFeedbackTopicPolicy", "MailFeedbackPolicy"}, "it tries the topic at once"
    (topic,) = MAIN.resources("AWS::SNS::Topic").values()
    assert topic["Subscription"] == [{"Protocol": "sqs", "Endpoint": {"Fn::GetAtt": ["MailFeedback", "Arn"]}}]
    (to_topic,) = MAIN.resources("AWS::SNS::TopicPolicy")["MailFeedbackTopicPolicy"]["PolicyDocument"]["Statement"]
    assert (to_topic["Principal"], to_topic["Action"]) == ({"Service": "ses.amazonaws.com"}, "sns:Publish")
    assert to_topic["Condition"]["StringEquals"] == {"AWS:SourceAccount": {"Ref": "AWS::AccountId"}}
    named = MAIN.resources("AWS::SES::ConfigurationSet")["MailConfiguration"]["Name"]["Fn::Sub"]
    assert to_topic["Condition"]["ArnEquals"]["AWS:SourceArn"]["Fn::Sub"].endswith(f":configuration-set/{named}")
    (to_queue,) = MAIN.resources("AWS::SQS::QueuePolicy")["MailFeedbackPolicy"]["PolicyDocument"]["Statement"]
    assert (to_queue["Principal"], to_queue["Action"]) == ({"Service": "sns.amazonaws.com"}, "sqs:SendMessage")
    assert to_queue["Condition"] == {"ArnEquals": {"aws:SourceArn": {"Ref": "MailFeedbackTopic"}}}


def test_functions_post_to_connections_of_the_channel() -> None:
    address = {"Fn::Sub": "https://${LiveChannel}.execute-api.${AWS::Region}.${AWS::URLSuffix}/live"}
    for group in ("live", "ringer"):
        assert MAIN.environment(group)["LIVE_ENDPOINT"] == address
    (channel,) = MAIN.resources("AWS::Serverless::WebSocketApi").values()
    assert channel["StageName"] == "live"
