"""The PDF of a certificate: what a person reads of it, with the certificate itself attached (ADR resolutions)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from governance.domain.notifications.wording import instant_in_words
from governance.domain.packs.board_pack import Failure, PackFailed
from governance.ids import UserId
from governance.instants import Instant
from governance.models.resolutions.certificate_content import CertificateContent
from governance.packs.book import Book, Bookmark
from governance.packs.copier.report import PaperError
from governance.packs.jobs import LETTERS, MISSING, Line
from governance.texts import text

_FILE, _TYPE = "certificate.json", "application/json"


def make(content: CertificateContent, title: str, folder: Path, now: Instant) -> Path:
    """Returns the file in a folder. Raises `PackFailed`."""
    book = Book(folder / "whole.pdf")
    try:
        pages = book.add_lines([*lines(content, now)], 1)
    except PaperError as error:
        raise PackFailed(Failure(error.problem), title) from None
    book.attach(_FILE, _TYPE, f'{{"data":{content.text}}}'.encode())
    book.finish(pages, [Bookmark(title, pages[0])], title, content.language)
    return book.path


def lines(content: CertificateContent, now: Instant) -> Iterator[Line]:
    """Yields the lines of the pages."""
    resolution = content.facts["resolution"]
    yield Line("title", resolution["title"])
    yield Line("subtitle", content.facts["board"]["name"])
    yield Line("subtitle", _told(content, "number", number=resolution["number"]))
    yield Line("subtitle", _told(content, f"outcome.{resolution['status']}"))
    yield Line("item", _told(content, "closed", time=_time(content, resolution["closedAt"])))
    if resolution["closesAt"] and resolution["closedAt"] < resolution["closesAt"]:
        yield Line("detail", _told(content, "announced", time=_time(content, resolution["closesAt"])))
    yield Line("detail", _made(content, now))
    yield Line(MISSING, text(content.language, "pack.missing_letters", letters=LETTERS))
    yield Line("page", "")
    yield from decision(content)
    yield from _votes(content, resolution)
    yield from _papers(content)
    yield from _proof(content)


def decision(content: CertificateContent) -> Iterator[Line]:
    """Yields the lines of the text that was voted on, and of the result."""
    resolution = content.facts["resolution"]
    yield Line("heading", _told(content, "text"))
    yield from (Line("item", part or " ") for part in resolution["text"].split("\n"))
    yield from _result(content, resolution)


def _result(content: CertificateContent, resolution: Mapping[str, Any]) -> Iterator[Line]:
    rule, tally = resolution["rule"], resolution["tally"]
    yield Line("heading", _told(content, "result"))
    sums = {"yes": tally["for"], "no": tally["against"], "abstain": tally["abstain"]}
    yield Line("item", _told(content, "sumsHidden") if tally["for"] is None else _told(content, "sums", **sums))
    yield Line("detail", _told(content, "voted", voted=tally["voted"], eligible=tally["eligible"]))
    majority, base = _told(content, f"majority.{rule['majority']}"), _told(content, f"base.{rule['base']}")
    yield Line("detail", f"{majority} {base}")
    yield Line("detail", _told(content, "quorum", percent=rule["quorumPercent"]))
    if rule["castingVoteUserId"]:
        yield Line("detail", _told(content, "casting", name=_name(content, rule["castingVoteUserId"])))


def _votes(content: CertificateContent, resolution: Mapping[str, Any]) -> Iterator[Line]:
    yield Line("heading", _told(content, "votes"))
    is_secret = resolution["ballots"] == "secret"
    if is_secret:
        yield Line("detail", _told(content, "secret"))
    ballots = {} if is_secret else {ballot["userId"]: ballot for ballot in content.facts["ballots"]}
    for voter in resolution["voters"]:
        told = _recusal(content, voter) if voter["recused"] else "" if is_secret else _vote(content, voter, ballots)
        weight = _told(content, "weight", weight=voter["weight"]) if voter["weight"] != 1 else ""
        yield Line("detail", " · ".join(filter(None, (_name(content, voter["userId"]), weight, told))))


def _vote(content: CertificateContent, voter: Mapping[str, Any], ballots: Mapping[str, Mapping[str, Any]]) -> str:
    ballot = ballots.get(voter["userId"])
    if ballot is None:
        return _told(content, "choice.none")
    choice = _told(content, f"choice.{ballot['choice']}")
    if ballot["castByUserId"] == voter["userId"]:
        return choice
    return _told(content, "by_proxy", choice=choice, name=_name(content, ballot["castByUserId"]))


def _recusal(content: CertificateContent, voter: Mapping[str, Any]) -> str:
    recused = voter["recused"]
    if recused["byUserId"] is None:
        return _told(content, "left")
    return _told(content, "recused", reason=recused["reason"])


def _papers(content: CertificateContent) -> Iterator[Line]:
    if content.facts["papers"]:
        yield Line("heading", _told(content, "papers"))
    for paper in content.facts["papers"]:
        document_id, version_id = paper["documentId"], paper["versionId"]
        yield Line("item", content.papers.get(document_id, document_id))
        if paper["sha256"] is None:
            yield Line("detail", _told(content, "paper_without_file", id=document_id))
        else:
            yield Line("detail", _told(content, "paper", id=document_id, version=version_id, sha256=paper["sha256"]))


def _proof(content: CertificateContent) -> Iterator[Line]:
    event = content.facts["event"]
    yield Line("heading", _told(content, "check"))
    yield Line("detail", _told(content, "how", file=_FILE))
    if event["proof"]:
        yield Line("detail", _told(content, "entry", index=event["index"]))
    yield Line("text", event["entry"])


def _made(content: CertificateContent, now: Instant) -> str:
    return text(content.language, "pack.made", time=_time(content, now))


def _name(content: CertificateContent, user_id: UserId) -> str:
    return content.names.get(user_id, user_id)


def _time(content: CertificateContent, instant: str) -> str:
    return instant_in_words(Instant(instant), content.timezone, content.language)


def _told(content: CertificateContent, key: str, **values: object) -> str:
    return text(content.language, f"certificate.{key}", **values)
