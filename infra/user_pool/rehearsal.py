"""A sign-in at the user pool of the rehearsal, as the pages do it. The emulator plays the pool's host itself."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import urllib.error
import urllib.request
from email.message import Message
from typing import IO, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import boto3

ADDRESS = "olivia@example.com"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect to the caller, who reads where it leads."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        """Follows none."""


class UserPool:
    """A deployed user pool with one person in it."""

    def __init__(self, endpoint: str, issuer: str, client_id: str, root_url: str) -> None:
        self._endpoint = endpoint
        self._callback = f"{root_url}/app/callback"
        self._id = issuer.rpartition("/")[2]
        self._client_id = client_id

    def sign_in(self) -> dict[str, Any]:
        """Registers a person and signs in with authorization code and PKCE; returns the tokens."""
        password, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        self._register(password)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        client = {"client_id": self._client_id, "redirect_uri": self._callback}
        asked = client | {"response_type": "code", "scope": "openid email profile", "state": secrets.token_urlsafe(16)}
        asked |= {"code_challenge": challenge, "code_challenge_method": "S256"}
        self._send("/oauth2/authorize?" + urlencode(asked))
        location = self._send("/login", asked | {"username": ADDRESS, "password": password})[1]["Location"]
        answer = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        if not location.startswith(f"{self._callback}?") or answer["state"] != asked["state"]:
            raise SystemExit(f"the sign-in led elsewhere: {urlsplit(location).path}")
        grant = {"grant_type": "authorization_code", "code": answer["code"], "code_verifier": verifier}
        tokens: dict[str, Any] = json.loads(self._send("/oauth2/token", client | grant)[0])
        return tokens

    def _register(self, password: str) -> None:
        client: Any = boto3.client("cognito-idp")
        person = {"UserPoolId": self._id, "Username": ADDRESS}
        known = {"email": ADDRESS, "email_verified": "true", "given_name": "Olivia", "family_name": "Owner"}
        attributes = [{"Name": name, "Value": value} for name, value in known.items()]
        client.admin_create_user(**person, UserAttributes=attributes)
        client.admin_set_user_password(**person, Password=password, Permanent=True)

    def _send(self, path: str, form: dict[str, str] | None = None) -> tuple[bytes, Message]:
        """Returns body and headers of an answer, also of a redirect."""
        body = urlencode(form).encode() if form else None
        opener = urllib.request.build_opener(_NoRedirects)
        try:
            with opener.open(self._endpoint + path, body, timeout=30) as answer:
                return answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            with error:
                if error.code != 302:
                    raise SystemExit(f"{path.partition('?')[0]}: {error.code}") from None
                return b"", error.headers
