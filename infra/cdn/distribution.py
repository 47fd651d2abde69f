"""What the distribution does, read from its template, so that `make run` does the same (ADR cdn).

Only what the template uses is modelled. Anything else raises `NotModelledError`, so that a change of the template that
the model does not follow fails at the start and not in the cloud.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from infra.cdn.embed import TEMPLATE
from infra.stack.template import Template

ERROR_SECONDS = 10
"""How long CloudFront keeps an error of an origin, unless the distribution says otherwise."""
_CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
_ALL_VIEWER_EXCEPT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac"
_NOTHING_IN_THE_KEY = {
    "CookiesConfig": {"CookieBehavior": "none"},
    "HeadersConfig": {"HeaderBehavior": "none"},
    "QueryStringsConfig": {"QueryStringBehavior": "none"},
}


class NotModelledError(Exception):
    """The template uses a part of CloudFront that the model does not have. The message names it."""


@dataclass(frozen=True)
class CachePolicy:
    """How long answers are kept, in seconds, and which encodings are part of the cache's key beside the path."""

    name: str
    minimum: int
    default: int
    maximum: int
    encodings: tuple[str, ...] = ()


@dataclass(frozen=True)
class HeadersPolicy:
    """The headers that are set on answers, by their names in lower case; `cors` on those to requests with `Origin`."""

    always: Mapping[str, str]
    cors: Mapping[str, str]


@dataclass(frozen=True)
class Behaviour:
    """What happens to requests whose path fits `pattern`.

    `on_request` and `on_response` are the logical ids of edge functions, or empty. Without `forwards_viewer` the origin
    sees neither the viewer's headers nor its query.
    """

    pattern: str
    origin: str
    methods: frozenset[str]
    compresses: bool
    forwards_viewer: bool
    cache: CachePolicy
    headers: HeadersPolicy
    on_request: str
    on_response: str

    def fits(self, path: str) -> bool:
        """Returns whether a path belongs to this behaviour: `*` stands for any text, `?` for one character."""
        return _expression(self.pattern).fullmatch(path) is not None


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


@dataclass(frozen=True)
class Distribution:
    """The parsed distribution: its behaviours, the default one last, its errors' seconds, and its functions' code."""

    behaviours: tuple[Behaviour, ...]
    error_seconds: Mapping[int, int]
    functions: Mapping[str, str]
    buckets: frozenset[str]
    """The ids of the origins that are buckets."""
    secret_headers: Mapping[str, tuple[str, ...]]
    """The headers that the distribution adds to requests, by the id of the origin."""

    def behaviour(self, path: str) -> Behaviour:
        """Returns the first behaviour whose pattern fits a path."""
        return next(behaviour for behaviour in self.behaviours if behaviour.fits(path))


def read(parameters: Mapping[str, str], template: Template | None = None) -> Distribution:
    """Returns the distribution of a template, by default the deployed one.

    `parameters` are the values of the parameters that texts refer to. Raises `NotModelledError`.
    """
    return _Reader(template or _deployed(), parameters).distribution()


@cache
def _deployed() -> Template:
    return Template(TEMPLATE)


class _Reader:
    def __init__(self, template: Template, parameters: Mapping[str, str]) -> None:
        self._template = template
        self._parameters = parameters

    def distribution(self) -> Distribution:
        (properties,) = self._template.resources("AWS::CloudFront::Distribution").values()
        config = properties["DistributionConfig"]
        listed = [*config["CacheBehaviors"], {"PathPattern": "*", **config["DefaultCacheBehavior"]}]
        errors = config.get("CustomErrorResponses", [])
        if any("ResponsePagePath" in error for error in errors):
            raise NotModelledError("pages in place of errors")
        functions = self._template.resources("AWS::CloudFront::Function")
        return Distribution(
            tuple(self._behaviour(body) for body in listed),
            {error["ErrorCode"]: error["ErrorCachingMinTTL"] for error in errors},
            {name: body["FunctionCode"] for name, body in functions.items()},
            frozenset(origin["Id"] for origin in config["Origins"] if "S3OriginConfig" in origin),
            {
                origin["Id"]: tuple(header["HeaderName"] for header in origin.get("OriginCustomHeaders", []))
                for origin in config["Origins"]
            },
        )

    def _behaviour(self, body: Mapping[str, Any]) -> Behaviour:
        associated = {
            association["EventType"]: association["FunctionARN"]["Fn::GetAtt"][0]
            for association in body.get("FunctionAssociations", [])
        }
        policy = body.get("OriginRequestPolicyId")
        if policy not in {None, _ALL_VIEWER_EXCEPT_HOST}:
            raise NotModelledError(f"the origin request policy {policy}")
        return Behaviour(
            body["PathPattern"],
            body["TargetOriginId"],
            frozenset(body["AllowedMethods"]),
            body["Compress"],
            policy == _ALL_VIEWER_EXCEPT_HOST,
            self._cache_policy(body["CachePolicyId"]),
            self._headers_policy(body["ResponseHeadersPolicyId"]["Ref"]),
            associated.get("viewer-request", ""),
            associated.get("viewer-response", ""),
        )

    def _cache_policy(self, given: Any) -> CachePolicy:
        if given == _CACHING_DISABLED:
            return CachePolicy("CachingDisabled", 0, 0, 0)
        name = given["Ref"] if isinstance(given, dict) else str(given)
        policies = self._template.resources("AWS::CloudFront::CachePolicy")
        if name not in policies:
            raise NotModelledError(f"the cache policy {name}")
        config = policies[name]["CachePolicyConfig"]
        key = config["ParametersInCacheKeyAndForwardedToOrigin"]
        if {part: key[part] for part in _NOTHING_IN_THE_KEY} != _NOTHING_IN_THE_KEY:
            raise NotModelledError(f"headers, cookies or queries in the key of the cache policy {name}")
        names = {"br": key["EnableAcceptEncodingBrotli"], "gzip": key["EnableAcceptEncodingGzip"]}
        encodings = tuple(encoding for encoding, enabled in names.items() if enabled)
        return CachePolicy(name, config["MinTTL"], config["DefaultTTL"], config["MaxTTL"], encodings)

    def _headers_policy(self, name: str) -> HeadersPolicy:
        policies = self._template.resources("AWS::CloudFront::ResponseHeadersPolicy")
        config = policies[name]["ResponseHeadersPolicyConfig"]
        security = config["SecurityHeadersConfig"]
        strict = security.get("StrictTransportSecurity", {}).get("AccessControlMaxAgeSec")
        headers = {
            "content-security-policy": security.get("ContentSecurityPolicy", {}).get("ContentSecurityPolicy"),
            "referrer-policy": security.get("ReferrerPolicy", {}).get("ReferrerPolicy"),
            "strict-transport-security": None if strict is None else f"max-age={strict}",
            "x-content-type-options": "nosniff" if "ContentTypeOptions" in security else None,
            "x-frame-options": security.get("FrameOptions", {}).get("FrameOption"),
        }
        custom = config.get("CustomHeadersConfig", {}).get("Items", [])
        headers |= {item["Header"].lower(): item["Value"] for item in custom}
        always = {header: self._text(value) for header, value in headers.items() if value is not None}
        return HeadersPolicy(always, _cors(config.get("CorsConfig")))

    def _text(self, value: str | dict[str, Any]) -> str:
        """Returns a header's value: a text, a text with parameters, or one of the template's mappings."""
        if isinstance(value, str):
            return value
        if "Fn::Sub" in value:
            return re.sub(r"\$\{(\w+)\}", lambda match: self._parameters[match[1]], value["Fn::Sub"])
        mapping, key, name = value["Fn::FindInMap"]
        return str(self._template.document["Mappings"][mapping][key][name])


def _cors(config: Mapping[str, Any] | None) -> Mapping[str, str]:
    if config is None:
        return {}
    if config["AccessControlAllowOrigins"]["Items"] != ["*"]:
        raise NotModelledError("origins other than all")
    return {"access-control-allow-origin": "*"}
