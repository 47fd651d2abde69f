"""What all peers share: the caller, proved by an RS256 session or a personal token, and the items that admit them."""

import hashlib
import hmac
import re
import string
import zlib
from datetime import UTC, datetime
from typing import NamedTuple

import store

TOKEN = re.compile(r"svc_pat_([0-9A-Za-z]{17})[0-9A-Za-z]{30}([0-9A-Za-z]{6})", re.ASCII)
DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase


class HttpError(Exception):
    """A response other than success."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Caller(NamedTuple):
    user_id: str
    token: str | None


def authenticate(authorization):
    credential = authorization.removeprefix("Bearer ")
    if credential.startswith("svc_"):
        return Caller(token_owner(credential), credential)
    try:
        claims = store.verified(credential)
    except Exception:
        raise HttpError(401) from None
    return Caller(hashlib.sha256(f"{claims['iss']}\n{claims['sub']}".encode()).hexdigest()[:24], None)


def token_owner(token):
    match = TOKEN.fullmatch(token)
    if match is None or from_base62(match[2]) != zlib.crc32(token[:-6].encode()):
        raise HttpError(401)
    return f"{from_base62(match[1]):024x}"


def from_base62(digits):
    number = 0
    for digit in digits:
        number = number * 62 + DIGITS.index(digit)
    return number


def partition_of(board_id, sk):
    is_meeting = sk.startswith("MEETING#") and sk.count("#") == 1
    return f"MEETINGS#{board_id}" if is_meeting else f"BOARD#{board_id}"


def keys_to_read(caller, board_id, *more):
    """Returns the keys of the user, the board, the membership, what more is asked for, and the caller's token."""
    keys = [(f"USER#{caller.user_id}", "USER")]
    keys += [(partition_of(board_id, sk), sk) for sk in ("BOARD", f"MEMBER#{caller.user_id}", *more)]
    if caller.token:
        token_id = hashlib.sha256(b"token-id\n" + caller.token.encode()).hexdigest()[:24]
        keys.append((f"USER#{caller.user_id}", f"TOKEN#{token_id}"))
    return keys


def admit(caller, items, plain=dict):
    """Returns the membership and what more was read. `items` are in the order of the keys; `plain` makes values of one."""
    user, board, member, *more = items
    if caller.token:
        check_token(caller.token, more.pop(), plain)
    if user is None or plain(user)["status"] != "active":
        raise HttpError(401)
    if board is None:
        raise HttpError(404)
    if member is None:
        raise HttpError(403)
    return [member, *more]


def check_token(token, item, plain):
    stored = plain(item) if item else {"digest": ""}
    if not hmac.compare_digest(stored["digest"], hashlib.sha256(token.encode()).hexdigest()):
        raise HttpError(401)
    expired = stored["expiresAt"] is not None and stored["expiresAt"] <= timestamp(datetime.now(UTC))
    if expired or stored.get("revokedAt") is not None:
        raise HttpError(401)


def timestamp(instant):
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
