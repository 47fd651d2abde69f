"""What becomes of flags."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.reports import flags as flags_rules
from governance.domain.reports.checks import Contradiction
from governance.ids import UserId
from governance.instants import Instant
from governance.limits import DISMISSAL_REASON, DISMISSAL_REASONS_BYTES, FLAGS_KEPT
from governance.models.reports.check import StoredFlag, StoredFlags
from tests.domain.samples import refusal

NOW = Instant("2026-11-23T06:00:00.000Z")
USER = UserId("0" * 24)


def contradictions(*ids: str) -> list[Contradiction]:
    return [Contradiction(id_, "d", f"field {id_}", "a.sum") for id_ in ids]


def later(number: int) -> Instant:
    return Instant(f"2026-11-23T07:{number // 60:02d}:{number % 60:02d}.000Z")


def after(*states: Sequence[str]) -> StoredFlags | None:
    """The flags after these contradictions were found one time after the other."""
    flags: StoredFlags | None = None
    for number, ids in enumerate(states):
        flags = flags_rules.after_check("d", flags, contradictions(*ids), later(number))
    return flags


def statuses(flags: StoredFlags | None) -> dict[str, str]:
    return {flag.id: flag.status for flag in flags.flags} if flags else {}


def test_a_contradiction_raises_ends_and_reopens_its_flag() -> None:
    assert after([]) is None
    assert statuses(after(["1"])) == {"1": "open"}
    assert statuses(after(["1"], [])) == {"1": "corrected"}
    assert statuses(after(["1"], [], ["1"])) == {"1": "open"}
    assert statuses(after(["1"], ["2"])) == {"1": "corrected", "2": "open"}


def test_nothing_new_changes_nothing() -> None:
    flags = after(["1", "2"])
    assert flags_rules.after_check("d", flags, contradictions("2", "1"), NOW) is flags


@given(st.lists(st.sets(st.sampled_from("123")), max_size=8))
def test_a_flag_is_told_of_once(states: list[set[str]]) -> None:
    told: list[str] = []
    flags: StoredFlags | None = None
    for number, ids in enumerate(states):
        new = flags_rules.after_check("d", flags, contradictions(*sorted(ids)), later(number))
        told += [flag.id for flag in flags_rules.raised_between(flags, new)]
        assert flags_rules.open_among(new) == len(ids)
        flags = new
    assert len(told) == len(set(told))
    assert set(told) == set().union(*states)


def test_what_is_corrected_was_open() -> None:
    before, now = after(["1", "2"]), after(["1", "2"], ["2"])
    assert [flag.id for flag in flags_rules.corrected_between(before, now)] == ["1"]
    assert before is not None
    dismissed = flags_rules.with_flag(before, flags_rules.dismissed(before.flags[0], "Known", USER, NOW))
    assert (
        flags_rules.corrected_between(dismissed, flags_rules.after_check("d", dismissed, contradictions("2"), NOW))
        == []
    )


def flag(flags: StoredFlags | None) -> StoredFlag:
    assert flags is not None
    return flags.flags[0]


def test_a_dismissal_holds_until_it_is_taken_back() -> None:
    flags = after(["1"])
    dismissed = flags_rules.dismissed(flag(flags), "Known", USER, NOW)
    assert (dismissed.status, dismissed.reason, dismissed.dismissed_by_user_id) == ("dismissed", "Known", USER)
    assert flags_rules.dismissed(dismissed, "Known", USER, NOW) is dismissed
    assert flags_rules.dismissed(dismissed, "Else", USER, NOW).reason == "Else"
    assert flags is not None
    ended = flags_rules.after_check("d", flags_rules.with_flag(flags, dismissed), [], NOW)
    assert statuses(ended) == {"1": "dismissed"}
    assert statuses(flags_rules.after_check("d", ended, contradictions("1"), NOW)) == {"1": "dismissed"}
    assert flags_rules.taken_up_again(flag(ended), NOW).status == "corrected"
    again = flags_rules.taken_up_again(dismissed, NOW)
    assert (again.status, again.reason, again.dismissed_by_user_id) == ("open", None, None)


def test_neither_an_unknown_flag_nor_the_dismissal_of_one_that_is_not_dismissed_is_found() -> None:
    assert refusal(flags_rules.taken_up_again, flag(after(["1"])), NOW)[0] == 404
    for flags in (None, after(["1"])):
        assert refusal(flags_rules.find, flags, "2")[0] == 404


def test_of_ended_contradictions_the_last_are_remembered() -> None:
    states = [[str(number)] for number in range(FLAGS_KEPT + 3)]
    remembered = statuses(after(*states))
    assert len(remembered) == FLAGS_KEPT + 1
    assert "0" not in remembered
    assert "1" not in remembered
    assert remembered[str(FLAGS_KEPT + 2)] == "open"


def test_reasons_are_limited_together() -> None:
    ids = [str(number) for number in range(DISMISSAL_REASONS_BYTES // (4 * DISMISSAL_REASON) + 1)]
    flags = after(ids)
    assert flags is not None
    *fitting, last = [
        flags_rules.dismissed(flags_rules.find(flags, id_), "😀" * DISMISSAL_REASON, USER, NOW) for id_ in ids
    ]
    for dismissed in fitting:
        flags = flags_rules.with_flag(flags, dismissed)
    assert refusal(flags_rules.with_flag, flags, last)[0] == 409


def test_flags_are_listed_newest_first() -> None:
    flags = after(["1"], ["1", "2"])
    assert flags is not None
    assert [listed.id for listed in flags_rules.newest_first(flags.flags)] == ["2", "1"]
    assert flags_rules.to_resource(flags.flags[0]).id == "1"
