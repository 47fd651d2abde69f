"""What a change of a property does, by the schemas of CloudFormation and the policy of the stack."""

from infra.deployment import replacements, stacks
from infra.deployment.replacements import SERVICE, Change, Effect

TEMPLATES = replacements.templates()
LISTED = {(change.stack, change.resource, change.path): change for change in replacements.listed(TEMPLATES)}


def of(stack: str, resource: str, path: str) -> Change:
    return LISTED[stack, resource, path]


def test_every_property_of_every_resource_is_listed() -> None:
    for stack, template in TEMPLATES.items():
        for name, body in template.document["Resources"].items():
            assert body.get("Properties", {}).keys() <= {
                path for where, whose, path in LISTED if (where, whose) == (stack, name)
            }


def test_a_fixed_property_replaces_its_resource_or_is_refused_where_its_data_are_protected() -> None:
    assert of(SERVICE, "MailIdentity", "EmailIdentity").effect is Effect.REPLACES
    assert of(SERVICE, "MailIdentity", "FeedbackAttributes").effect is Effect.IN_PLACE
    assert of(SERVICE, "PapersBucket", "BucketName").effect is Effect.REFUSED
    assert of(SERVICE, "RingerFunction", "FunctionName").effect is Effect.REPLACES
    assert of("UserPoolStack", "Pool", "UserPoolName").effect is Effect.IN_PLACE


def test_a_parameter_reaches_what_nested_stacks_conditions_and_names_pass_on() -> None:
    assert of("UserPoolStack", "SignInPages", "Domain").parameters == {"UserPoolDomain"}
    assert of("Monitoring", "AlarmsByMail", "Endpoint").parameters == {"AlarmEmail"}
    assert of("Backup", "Selection", "BackupSelection").parameters >= {"RestoredTable"}, (
        "and what the bucket is named by"
    )
    assert of(SERVICE, "MailEvents", "ConfigurationSetName").parameters == {"Stage"}


def test_a_new_address_for_alarms_replaces_the_budget_which_has_no_fixed_name() -> None:
    """Who is told is fixed when a budget is made; a second one of the same name would be refused."""
    told = of(SERVICE, "Budget", "NotificationsWithSubscribers")
    assert (told.effect, told.parameters) == (Effect.REPLACES, frozenset({"AlarmEmail"}))


def test_no_parameter_but_the_stage_and_the_domain_of_the_user_pool_is_refused() -> None:
    refused = {name for change in LISTED.values() if change.effect is Effect.REFUSED for name in change.parameters}
    assert refused == {"Stage", "UserPoolDomain"}


def test_a_key_that_signs_is_never_replaced_and_a_second_one_stays() -> None:
    keys = TEMPLATES[SERVICE].resources("AWS::KMS::Key")
    deny = stacks.policy(TEMPLATES[SERVICE])["Statement"][1]["Resource"]
    assert {f"LogicalResourceId/{name}" for name in keys} <= set(deny)
    refused = [change for change in replacements.removals(TEMPLATES) if change.effect is Effect.REFUSED]
    assert {change.resource: change.parameters for change in refused} == {
        f"{name}B": frozenset({f"{name}Used"}) for name in ("LogKey", "SealKey")
    }
    for name in ("LogKey", "SealKey"):
        one, other = keys[name], keys[f"{name}B"]
        assert {**one, "Description": ""} == {**other, "Description": ""}


def test_what_a_parameter_removes_is_known_and_what_it_adds_is_no_removal() -> None:
    def removed(before: dict[str, str], after: dict[str, str]) -> list[str]:
        return [change.sentence() for change in replacements.removed(TEMPLATES, before, after)]

    (inbound,) = removed({"InboundMail": "receive"}, {"InboundMail": ""})
    assert inbound.startswith(
        "InboundMail: Inbound (AWS::CloudFormation::Stack, service) is removed, with what it holds"
    )
    (key,) = removed({"LogKeyUsed": "B"}, {"LogKeyUsed": "A"})
    assert key.startswith("LogKeyUsed: removing LogKeyB (AWS::KMS::Key, service) is refused")
    assert removed({"LogKeyUsed": "A"}, {"LogKeyUsed": "B"}) == []
    logs = removed({"EdgeLogs": "yes"}, {"EdgeLogs": "no"})
    assert any("AWS::Logs::LogGroup, Firewall) is removed" in line for line in logs)


def test_an_amount_that_becomes_zero_removes_the_budget() -> None:
    before = {"MonthlyBudget": "100", "AlarmEmail": "oncall@example.com"}
    (budget,) = replacements.removed(TEMPLATES, before, before | {"MonthlyBudget": "0"})
    assert budget.resource == "Budget"
