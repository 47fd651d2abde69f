"""The security headers that the CDN adds to answers, read from its template, so that `make run` sends the same ones."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any

from infra.cdn.embed import TEMPLATE
from infra.stack.template import Template

SecurityHeaders = dict[str, str]


def security_headers(path: str) -> SecurityHeaders:
    """Returns the security headers of an answer to `path`, by their names in lower case.

    Strict-Transport-Security is left out: it has no meaning over plain HTTP, which is all that `make run` speaks.
    """
    return next(headers for pattern, headers in _behaviours() if pattern.fullmatch(path))


@cache
def _behaviours() -> list[tuple[re.Pattern[str], SecurityHeaders]]:
    """Returns the path pattern of each behaviour with the headers of its policy; the first that matches counts."""
    template = Template(TEMPLATE)
    (distribution,) = template.resources("AWS::CloudFront::Distribution").values()
    config = distribution["DistributionConfig"]
    behaviours = [*config["CacheBehaviors"], {"PathPattern": "*", **config["DefaultCacheBehavior"]}]
    policies = template.resources("AWS::CloudFront::ResponseHeadersPolicy")
    return [
        (_pattern(each["PathPattern"]), _headers(template, policies[each["ResponseHeadersPolicyId"]["Ref"]]))
        for each in behaviours
    ]


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", ".*"), re.DOTALL)


def _headers(template: Template, policy: dict[str, Any]) -> SecurityHeaders:
    config = policy["ResponseHeadersPolicyConfig"]
    security = config["SecurityHeadersConfig"]
    found = {
        "content-security-policy": security.get("ContentSecurityPolicy", {}).get("ContentSecurityPolicy"),
        "referrer-policy": security.get("ReferrerPolicy", {}).get("ReferrerPolicy"),
        "x-content-type-options": "nosniff" if "ContentTypeOptions" in security else None,
        "x-frame-options": security.get("FrameOptions", {}).get("FrameOption"),
    }
    found |= {item["Header"].lower(): item["Value"] for item in config.get("CustomHeadersConfig", {}).get("Items", [])}
    return {name: _text(template, value) for name, value in found.items() if value is not None}


def _text(template: Template, value: str | dict[str, Any]) -> str:
    """Returns a header's value; a reference to the template's mappings is looked up.

    OIDC_ISSUER is the local value of the parameter OidcOrigins.
    """
    if isinstance(value, str):
        return value
    if "Fn::Sub" in value:
        return str(value["Fn::Sub"]).replace("${OidcOrigins}", os.environ.get("OIDC_ISSUER", ""))
    mapping, key, name = value["Fn::FindInMap"]
    return str(template.document["Mappings"][mapping][key][name])
