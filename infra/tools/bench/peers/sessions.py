"""Sessions as PyJWT's documentation verifies them, for the peers that follow a framework's guide."""

import os

import jwt

key_set = jwt.PyJWKClient(os.environ["JWKS_URL"])
REQUIRED = {"require": ["iss", "aud", "exp", "iat", "sub"]}


def verified(token):
    key = key_set.get_signing_key(jwt.get_unverified_header(token).get("kid"))
    named = {"audience": os.environ["JWT_AUDIENCE"], "issuer": os.environ["JWT_ISSUER"]}
    return jwt.decode(token, key, ["RS256"], leeway=30, options=REQUIRED, **named)
