"""An issuer of sessions that has one key."""

from __future__ import annotations

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa


class SingleKeyIssuer:
    """Stands in for `governance.http.issuer_keys.IssuerKeys`."""

    def __init__(self, key: rsa.RSAPrivateKey) -> None:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
        self.key = jwt.PyJWK({**public, "alg": "RS256"})

    def find(self, _: str) -> jwt.PyJWK:
        """Returns the key, whatever id a session names."""
        return self.key
