"""Checks the certificate of a resolution without the service that made it: `certificate.py FILE [--key VKEY]`.

FILE is the answer of `GET /api/v1/boards/…/resolutions/…/certificate`, as it was served. The program counts the ballots
again and compares the outcome; it checks that the certificate is the one whose hash the closing of the resolution was
recorded with, and that this record is in the append-only log of the service. VKEY is the verifier key of that log, as
it was published at `/log/key`. The exit code is 0 if all holds, else 1. Without the key the signature of the log is not
checked, and the last line says so: then the maker of the file could have made everything in it.

This file stands alone: it needs Python 3.11 or later and the package `cryptography`, nothing else of the project. So it
counts by itself, as `domain/resolutions/count.py` and `lib/resolutions.js` of the pages do.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

CHOICES = ("for", "against", "abstain")
FEWEST_SECRET = 3
"""The fewest secret ballots that are shown."""
LARGEST = 2**53 - 1
"""The largest number that every JSON reader takes exactly."""
LARGEST_FILE = 2**25
"""More bytes than an answer of the service can have."""
PROOF = re.compile(r"c2sp\.org/tlog-proof@v1\nindex (0|[1-9][0-9]{0,18})\n((?:[A-Za-z0-9+/]{43}=\n)*)\n(.+)", re.DOTALL)
CHECKPOINT = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n")
SIGNATURE = re.compile(r"\N{EM DASH} (\S+) ([A-Za-z0-9+/]+={0,2})")
KEY = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})")
SIGNED = "Its signature holds."
UNSIGNED = "NOT CHECKED: the signature of the log. Anybody could have made this file: give the log's key with --key."
ID_BYTES = 4
"""A key's id, with which its signatures begin."""
ED25519 = 1
"""The type of a key whose signatures are of the text of a note."""


class Refuted(Exception):
    """Something of the certificate does not hold. The message says what."""


def require(holds: bool, otherwise: str) -> None:
    """Raises `Refuted` with a sentence unless something holds."""
    if not holds:
        raise Refuted(otherwise)


def printable(text: object) -> str:
    """Returns a text on one line, without what could make a terminal show other lines than these."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text))


# JSON


def read(path: Path) -> str:
    """Returns the text of a file. Raises `Refuted` for one that cannot be a certificate as it was served."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        text = content.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise Refuted(f"It cannot be read: {error}.") from None
    require(len(content) <= LARGEST_FILE, "It is larger than a certificate can be.")
    require(not text.startswith("\N{ZERO WIDTH NO-BREAK SPACE}"), "It begins with a byte order mark: it was changed.")
    return text


def parse(text: str) -> Any:
    """Returns the value of a JSON text. Raises `Refuted` for what two readers may read differently."""
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_float=_refused, parse_constant=_refused, parse_int=_integer
        )
        text.encode()
    except (ValueError, RecursionError):
        raise Refuted("It is not JSON.") from None
    return value


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    require(len(members) == len(pairs), "A member of the JSON is there twice.")
    return members


def _integer(text: str) -> int:
    value = int(text) if len(text) < len(str(LARGEST)) + 1 else LARGEST + 1
    require(abs(value) <= LARGEST and text != "-0", f"{text[:20]} is not a number of a certificate.")
    return value


def _refused(text: str) -> NoReturn:
    raise Refuted(f"{text[:20]} is not a number of a certificate.")


def canonical(value: Any) -> str:
    """Returns the form of RFC 8785 of a value without fractions: members sorted by UTF-16, no white space."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(part)}" for name, part in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def sha256(text: str) -> str:
    """Returns the SHA-256 of a text's UTF-8, as hex."""
    try:
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError:
        raise Refuted("A text of it is not valid Unicode.") from None


def decode(text: str) -> bytes:
    """Returns the bytes of a base64 text. Raises `ValueError` if they are written otherwise than they must be."""
    content = base64.b64decode(text, validate=True)
    if base64.b64encode(content).decode() != text:
        raise ValueError(text)
    return content


# The count


def tally(rule: Mapping[str, Any], voters: Iterable[Mapping[str, Any]], ballots: Sequence[Any]) -> dict[str, Any]:
    """Returns what ballots of voters decide by a rule, in whole numbers."""
    weights = {voter["userId"]: voter["weight"] for voter in voters if voter["recused"] is None}
    sums = dict.fromkeys(CHOICES, 0)
    chosen = {}
    for ballot in ballots:
        choice, weight = (ballot, 1) if isinstance(ballot, str) else (ballot["choice"], ballot["weight"])
        sums[choice] += weight
        if not isinstance(ballot, str):
            chosen[ballot["userId"]] = choice
    eligible, voted = sum(weights.values()), sum(sums.values())
    has_quorum = voted >= 1 and 100 * voted >= rule["quorumPercent"] * eligible
    is_carried = sums["for"] >= 1 and carries(rule, sums, eligible, chosen.get(rule["castingVoteUserId"]))
    outcome = ("carried" if is_carried else "rejected") if has_quorum else "lapsed"
    return {"eligible": eligible, "voted": voted, **sums, "quorumMet": has_quorum, "outcome": outcome}


def hidden_tally(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the count of a vote with so few secret ballots that it says none of them: it has lapsed."""
    eligible, voted = (
        tally(facts["resolution"]["rule"], facts["resolution"]["voters"], [])["eligible"],
        facts["tally"]["voted"],
    )
    require(facts["ballots"] == [], "A vote that hides its ballots shows some.")
    require(voted in range(min(eligible, FEWEST_SECRET - 1) + 1), "Enough have voted for a result.")
    return {"eligible": eligible, "voted": voted, **dict.fromkeys((*CHOICES, "quorumMet", "outcome"))}


def carries(rule: Mapping[str, Any], sums: Mapping[str, int], eligible: int, casting: str | None) -> bool:
    """Returns whether the votes for it reach the majority; a casting vote decides a tie of the votes cast."""
    of_cast = rule["base"] == "cast"
    base = sums["for"] + sums["against"] if of_cast else eligible
    if rule["majority"] == "simple" and of_cast and sums["for"] == sums["against"]:
        return casting == "for"
    shares: dict[str, Callable[[int], bool]] = {
        "simple": lambda votes: 2 * votes > base,
        "two_thirds": lambda votes: 3 * votes >= 2 * base,
        "three_quarters": lambda votes: 4 * votes >= 3 * base,
        "unanimous": lambda votes: votes == base,
    }
    return shares[rule["majority"]](sums["for"])


def check_ballots(resolution: Mapping[str, Any], ballots: Sequence[Any]) -> None:
    """Raises `Refuted` unless each ballot is one of a voter who counts, and has their weight."""
    voters = {voter["userId"]: voter for voter in resolution["voters"]}
    require(len(voters) == len(resolution["voters"]), "Somebody is a voter twice.")
    weights = [voter["weight"] for voter in voters.values()]
    require(
        all(type(weight) is int and weight >= 1 for weight in weights), "A weight is not a whole number above zero."
    )
    counting = {user_id for user_id, voter in voters.items() if voter["recused"] is None}
    if resolution["ballots"] == "secret":
        require(all(isinstance(ballot, str) for ballot in ballots), "A secret ballot has a name.")
        require(len(ballots) <= len(counting), "There are more ballots than voters.")
        require(set(weights) <= {1}, "Ballots are secret, and weights differ.")
        return
    named = [ballot["userId"] for ballot in ballots]
    require(len(named) == len(set(named)), "Somebody has two ballots.")
    require(set(named) <= counting, "A ballot is of somebody who does not vote.")
    for ballot in ballots:
        own, caster = voters[ballot["userId"]], ballot["castByUserId"]
        require(ballot["weight"] == own["weight"], "A ballot has another weight than its voter.")
        is_proxy = resolution["rule"]["proxies"] and caster in voters
        require(caster == ballot["userId"] or is_proxy, "A ballot was cast by somebody who could not cast it.")


def check_outcome(facts: Mapping[str, Any]) -> None:
    """Raises `Refuted` unless the ballots decide what the certificate says."""
    require(
        facts["object"] == "resolution_certificate" and facts["version"] == 1, "It is not a certificate of version 1."
    )
    resolution = facts["resolution"]
    require(facts["board"]["id"] == resolution["boardId"], "The resolution is one of another board.")
    require(facts["textSha256"] == sha256(resolution["text"]), "The hash of the text is another.")
    papers = [paper["documentId"] for paper in facts["papers"]]
    require(sorted(papers) == sorted(resolution["documentIds"]), "The papers are not those of the resolution.")
    check_ballots(resolution, facts["ballots"])
    is_hidden = resolution["ballots"] == "secret" and facts["tally"]["for"] is None
    counted = hidden_tally(facts) if is_hidden else tally(resolution["rule"], resolution["voters"], facts["ballots"])
    stated = {canonical(facts["tally"]), canonical(resolution["tally"])}
    require(stated == {canonical(counted)}, "The ballots have other sums.")
    require(resolution["status"] == (counted["outcome"] or "lapsed"), "The ballots decide otherwise.")


# The log


def check_event(facts: Mapping[str, Any], event: Mapping[str, Any]) -> None:
    """Raises `Refuted` unless the event that was logged is the close of this resolution with this certificate."""
    entry = parse(event["entry"])
    require(canonical(entry) == event["entry"], "The event is not written as it was logged.")
    require(event["object"] == "log_proof", "The event has no proof.")
    closed = entry["object"] == "event" and entry["type"] == "resolution.closed"
    of_this = entry["boardId"] == facts["board"]["id"] and entry["refs"]["resolutionId"] == facts["resolution"]["id"]
    require(closed and of_this and entry["id"] == event["entryId"], "The event is not the close of this resolution.")
    hashed = entry["details"]["certificateSha256"] == sha256(canonical(facts))
    require(hashed, "The resolution was closed with another certificate.")


def check_log(event: Mapping[str, Any], key: str | None) -> str:
    """Returns where the log holds an event. Raises `Refuted` unless the proof shows that it does."""
    require(event["proof"] is not None, "There is no proof yet: get the certificate again in a minute.")
    match = PROOF.fullmatch(event["proof"])
    if match is None:
        raise Refuted("The proof is malformed.")
    index, hashes, note = int(match[1]), match[2].split(), match[3]
    text, origin, size, root = checkpoint(note)
    require(index == event["index"], "The proof is one of another entry.")
    salt = decode(event["salt"])
    entry = hashlib.sha256(salt + event["entry"].encode()).digest()
    computed = root_of(entry, index, size, list(map(decode, hashes)))
    require(computed == root, "The log does not hold the event.")
    if key is not None:
        check_signature(text, note, key)
    return f"Entry {index} of the log {origin}, which had {size} entries then."


def checkpoint(note: str) -> tuple[str, str, int, bytes]:
    """Returns the signed text of a checkpoint, the log's name, its size and the root of its tree."""
    text = note.rpartition("\n\n")[0] + "\n"
    match = CHECKPOINT.fullmatch(text)
    if match is None:
        raise Refuted("The checkpoint is malformed.")
    return text, match[1], int(match[2]), decode(match[3])


def root_of(entry: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Returns the root of the tree that has an entry at an index, by RFC 9162 (2.1.3.2); None for a wrong path."""
    if index >= size:
        return None
    node, last, computed = index, size - 1, hashlib.sha256(b"\x00" + entry).digest()
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            computed = hashlib.sha256(b"\x01" + sibling + computed).digest()
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            computed = hashlib.sha256(b"\x01" + computed + sibling).digest()
        node, last = node >> 1, last >> 1
    return computed if last == 0 else None


def check_signature(text: str, note: str, key: str) -> None:
    """Raises `Refuted` unless a checkpoint is signed by the key of its log (c2sp.org/signed-note)."""
    name, typed = parse_key(key)
    require(text.partition("\n")[0] == name, "The certificate is one of another log than the key.")
    lines = [SIGNATURE.fullmatch(line) for line in note.rpartition("\n\n")[2].removesuffix("\n").split("\n")]
    require(all(lines), "A signature of the checkpoint is malformed.")
    of_name = [decode(line[2]) for line in lines if line is not None and line[1] == name]
    own = [signature[ID_BYTES:] for signature in of_name if signature[:ID_BYTES] == key_id(name, typed)]
    require(bool(own), "The checkpoint is not signed by the log.")
    try:
        for signature in own:
            Ed25519PublicKey.from_public_bytes(typed[1:]).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        raise Refuted("The signature of the log does not hold.") from None


def parse_key(key: str) -> tuple[str, bytes]:
    """Returns the name of a verifier key, and its type with its bytes. Raises `Refuted`."""
    match = KEY.fullmatch(key.strip())
    try:
        name, id_, typed = ("", "", b"") if match is None else (match[1], match[2], decode(match[3]))
    except ValueError:
        raise Refuted("That is not a verifier key.") from None
    is_key = typed[:1] == bytes([ED25519]) and key_id(name, typed).hex() == id_
    require(is_key, "That is not a verifier key of a log.")
    return name, typed


def key_id(name: str, typed: bytes) -> bytes:
    """Returns the id of a key, by its name, its type and its bytes."""
    return hashlib.sha256(f"{name}\n".encode() + typed).digest()[:ID_BYTES]


def report(content: str, key: str | None) -> list[str]:
    """Returns what a certificate shows, in lines. Raises `Refuted` with the first thing that does not hold."""
    try:
        certificate = parse(content)["data"]
        event = certificate["event"]
        facts = {name: part for name, part in certificate.items() if name != "event"}
        check_outcome(facts)
        check_event(facts, event)
        place = check_log(event, key)
        resolution, sums = facts["resolution"], facts["tally"]
        return [
            f"{resolution['number']} {resolution['title']}: {resolution['status']}.",
            "Too few voted to show their secret ballots."
            if sums["for"] is None
            else f"For {sums['for']}, against {sums['against']}, abstained {sums['abstain']}.",
            f"{sums['voted']} of {sums['eligible']} voted.",
            place,
            SIGNED if key else UNSIGNED,
        ]
    except (KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError):
        raise Refuted("It is not a certificate: a member is missing or malformed.") from None


def main(arguments: Sequence[str]) -> int:
    """Checks a file, prints what it shows or what does not hold, and returns the exit code."""
    parser = argparse.ArgumentParser(description="Checks the certificate of a resolution.")
    parser.add_argument("file", metavar="FILE", type=Path, help="the certificate, as it was served")
    parser.add_argument("--key", metavar="VKEY", help="the verifier key of the log")
    given = parser.parse_args(arguments)
    try:
        lines = report(read(given.file), given.key)
    except Refuted as refuted:
        print(printable(refuted), file=sys.stderr)
        return 1
    print(*map(printable, lines), sep="\n")
    return 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
