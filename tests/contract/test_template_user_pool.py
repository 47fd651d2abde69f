"""The user pool of the templates: who signs sessions, where the pages lead back to, who mails."""

from __future__ import annotations

from typing import Any

from tests.contract.templates import MAIN, STACKS


def user_pool_client() -> dict[str, Any]:
    (client,) = STACKS["user_pool"].resources("AWS::Cognito::UserPoolClient").values()
    return client


def test_the_user_pool_is_created_only_if_asked_for_and_then_nobody_else_signs_sessions() -> None:
    assert MAIN.document["Parameters"]["UserPool"]["Default"] == "no"
    assert MAIN.document["Resources"]["UserPoolStack"]["Condition"] == "HasUserPool"
    for name, output in (("JWT_ISSUER", "Issuer"), ("JWT_AUDIENCE", "ClientId"), ("JWKS_URL", "KeySet")):
        condition, taken, _ = MAIN.environment()[name]["Fn::If"]
        assert (condition, taken) == ("HasUserPool", {"Fn::GetAtt": ["UserPoolStack", f"Outputs.{output}"]})


def test_the_pages_sign_in_with_the_user_pool_and_may_call_its_hosts() -> None:
    for name, output in (("OidcIssuer", "Issuer"), ("OidcClientId", "ClientId")):
        condition, taken, otherwise = MAIN.document["Outputs"][name]["Value"]["Fn::If"]
        assert (condition, otherwise) == ("HasUserPool", {"Ref": name})
        assert taken == {"Fn::GetAtt": ["UserPoolStack", f"Outputs.{output}"]}
    condition, origins, _ = MAIN.resources("AWS::CloudFormation::Stack")["Cdn"]["Parameters"]["OidcOrigins"]["Fn::If"]
    assert condition == "HasUserPool"
    assert [origin.split(".")[0] for origin in origins["Fn::Sub"].split()] == [
        "https://cognito-idp",
        "https://${UserPoolDomain}",
    ]


def test_the_client_of_the_pages_has_no_secret_and_leads_back_to_them_alone() -> None:
    client = user_pool_client()
    assert client["GenerateSecret"] is False
    assert client["AllowedOAuthFlows"] == ["code"]
    assert client["CallbackURLs"] == [{"Fn::Sub": "${RootUrl}/app/callback"}]
    assert client["LogoutURLs"] == [{"Fn::Sub": "${RootUrl}/"}]
    assert client["RefreshTokenRotation"]["Feature"] == "ENABLED"
    assert "ALLOW_REFRESH_TOKEN_AUTH" not in client["ExplicitAuthFlows"]


def test_the_user_pool_verifies_addresses_and_outlives_the_stack() -> None:
    pool = STACKS["user_pool"].document["Resources"]["Pool"]
    assert (pool["DeletionPolicy"], pool["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert pool["Properties"]["AutoVerifiedAttributes"] == ["email"]
    changed = pool["Properties"]["UserAttributeUpdateSettings"]["AttributesRequireVerificationBeforeUpdate"]
    assert changed == ["email"]
    assert "email_verified" not in user_pool_client()["WriteAttributes"]


def test_the_user_pool_mails_by_the_identity_of_the_stack_once_that_is_verified() -> None:
    assert MAIN.document["Parameters"]["UserPoolMail"]["Default"] == "cognito"
    passed = MAIN.resources("AWS::CloudFormation::Stack")["UserPoolStack"]["Parameters"]
    condition, identity, otherwise = passed["MailIdentity"]["Fn::If"]
    assert (condition, otherwise) == ("MailsOfUserPoolBySes", "")
    assert identity["Fn::Sub"].endswith(":identity/${MailIdentity}")
    assert passed["MailSender"] == {"Fn::Sub": MAIN.environment()["MAIL_SENDER"]["Fn::Sub"]}
    (pool,) = STACKS["user_pool"].resources("AWS::Cognito::UserPool").values()
    condition, by_ses, by_cognito = pool["EmailConfiguration"]["Fn::If"]
    assert condition == "HasMailIdentity"
    assert by_ses == {
        "EmailSendingAccount": "DEVELOPER",
        "SourceArn": {"Ref": "MailIdentity"},
        "From": {"Ref": "MailSender"},
    }
    assert by_cognito == {"EmailSendingAccount": "COGNITO_DEFAULT"}
