"""The floor's store without the SDK: requests signed by hand over one `http.client`; sessions by `cryptography`."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import threading
import time
import urllib.request
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

endpoint = urlsplit(os.environ["AWS_ENDPOINT_URL"])
REGION, ACCESS, SECRET = (os.environ[f"AWS_{name}"] for name in ("REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"))
kept = threading.local()
keys = {}


def call(action, request):
    body, now = json.dumps(request).encode(), time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    target, scope = f"DynamoDB_20120810.{action}", f"{now[:8]}/{REGION}/dynamodb/aws4_request"
    canonical = (
        f"POST\n/\n\nhost:{endpoint.netloc}\nx-amz-date:{now}\nx-amz-target:{target}\n\nhost;x-amz-date;x-amz-target\n"
    )
    canonical += hashlib.sha256(body).hexdigest()
    key = f"AWS4{SECRET}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    credential = f"AWS4-HMAC-SHA256 Credential={ACCESS}/{scope}, SignedHeaders=host;x-amz-date;x-amz-target"
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": now, "X-Amz-Target": target}
    headers["Authorization"] = f"{credential}, Signature={signature}"
    if not hasattr(kept, "connection"):
        kept.connection = http.client.HTTPConnection(endpoint.hostname, endpoint.port, timeout=2)
    kept.connection.request("POST", "/", body, headers)
    response = kept.connection.getresponse()
    answer = json.loads(response.read())
    if response.status != 200:
        raise RuntimeError(answer)
    return answer


def batch_get_item(**request):
    return call("BatchGetItem", request)


def query(**request):
    return call("Query", request)


def transact_write_items(**request):
    return call("TransactWriteItems", request)


def verified(token):
    signed, _, signature = token.rpartition(".")
    header, claims = (json.loads(decoded(part)) for part in signed.split("."))
    if header["alg"] != "RS256":
        raise ValueError("alg")
    issuer_key(header["kid"]).verify(decoded(signature), signed.encode(), padding.PKCS1v15(), SHA256())
    named = claims["iss"] == os.environ["JWT_ISSUER"] and claims["aud"] == os.environ["JWT_AUDIENCE"]
    if not named or not claims["iat"] - 30 <= time.time() < claims["exp"] + 30:
        raise ValueError("claims")
    return claims


def issuer_key(key_id):
    if key_id not in keys:
        with urllib.request.urlopen(os.environ["JWKS_URL"]) as answer:
            for jwk in json.load(answer)["keys"]:
                n, e = (int.from_bytes(decoded(jwk[name])) for name in "ne")
                keys[jwk["kid"]] = rsa.RSAPublicNumbers(e, n).public_key()
    return keys[key_id]


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
