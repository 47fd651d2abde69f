"""What keys are made of: only ids name items, an item below another is of another kind, a list knows its positions."""

from __future__ import annotations

import re
import string

import pytest

from governance.ids import BoardId, UserId, membership_id, user_id_of
from governance.instants import Instant, epoch
from governance.store.schema import usage
from governance.store.schema.entities import (
    ACTION_ITEM_NOTES,
    AGENDA,
    BOARD,
    DASHBOARD,
    DASHBOARD_COMMENT,
    DASHBOARD_FIGURES,
    DASHBOARD_FLAGS,
    DASHBOARD_PAYLOAD,
    DOCUMENT_COMMENT,
    DOCUMENT_COMMENT_COUNT,
    MEETING,
    MEETING_COMMENT,
    MEETING_PEOPLE,
    MEMBER_VOTE,
    SLOT,
    VERSIONS_OF_DOCUMENT,
    partition_subject,
    seats_key,
)
from governance.store.schema.jobs import due_key, due_partitions
from governance.store.schema.keys import SK, Entity, Key, Range, SortedList, index_name, is_of_kind, make_item, position
from governance.store.schema.minutes import MINUTES
from governance.store.schema.sizes import most_bytes
from tests.store.rows_of_every_kind import all_rows
from tests.store.stored_items import BOARD as BOARD_ID

ONE, TWO = "1" * 24, "2" * 24
AT = Instant("2026-01-07T09:00:00.000Z")


@pytest.mark.parametrize(
    ("entity", "sort_key", "expected"),
    [
        (BOARD, "BOARD", True),
        (MEETING, f"MEETING#{ONE}", True),
        (MEETING, f"MEETING#{ONE}#ANSWER#{TWO}", False),
        (MEETING, f"MEMBER#{ONE}", False),
        (DASHBOARD, f"REPORT#{ONE}#DASHBOARD#{TWO}", True),
        (DASHBOARD, f"REPORT#{ONE}#DASHBOARDS", False),
        (DASHBOARD, f"REPORT#{ONE}#DASHBOARD#{TWO}#FLAGS", False),
        (DASHBOARD, f"MEETING#{ONE}#SLOT#{TWO}", False),
    ],
)
def test_an_item_is_of_a_kind_and_what_is_below_it_is_not(entity: Entity, sort_key: str, expected: bool) -> None:
    assert is_of_kind(entity, {SK: sort_key}) is expected


def test_only_ids_name_an_item() -> None:
    assert MEETING.key_for(boardId=ONE, meetingId=TWO) == MEETING.key_or_none(boardId=ONE, meetingId=TWO)
    assert MEETING.key_or_none(boardId=ONE, meetingId=TWO) == Key(f"MEETINGS#{ONE}", f"MEETING#{TWO}")
    assert MEETING.key_or_none(boardId=ONE, meetingId=f"{TWO}#ANSWER#{ONE}") is None
    assert MEETING.key_or_none(boardId=ONE) is None
    with pytest.raises(ValueError, match=r"no key of MEETINGS#\{boardId\} MEETING#\{meetingId\}"):
        MEETING.key_for(boardId=ONE, meetingId="")


def test_an_entity_names_its_parameters_once_and_in_order() -> None:
    assert Entity("A#{boardId}", "B#{slotId:.12}#{boardId}", None).parameters == ("boardId", "slotId")
    assert (SLOT.sk_prefix, BOARD.sk_prefix) == ("MEETING#", "BOARD")


def test_an_item_has_its_members_its_key_its_places_in_lists_and_its_expiry() -> None:
    key = Key("A", "B")
    assert make_item(key, {"id": ONE, "PK": "other"}, L1="C") == {"id": ONE, "PK": "A", "SK": "B", "L1": "C"}
    assert make_item(key, {}, ttl=AT) == {"PK": "A", "SK": "B", "ttl": epoch(AT)}


def test_a_list_gives_a_position_and_finds_it_again() -> None:
    for listed, attribute in ((SortedList("L3", "X#"), "L3"), (SortedList(None, "X#"), SK)):
        entry = listed.entry(position(AT, ONE))
        assert entry == {attribute: f"X#{AT}#{ONE}"}
        assert listed.position_of(entry) == f"{AT}#{ONE}"
        assert listed.within("P") == Range("P", "X#", listed.index)
    assert index_name("L3") == "by-L3"


def test_an_id_says_in_which_of_several_rows_its_entry_is() -> None:
    assert seats_key(BoardId(ONE), UserId("0" * 22 + "3e")) == Key(f"BOARD#{ONE}", "SEATS#30")
    assert due_partitions() == [f"DUE#{number}" for number in range(16)]
    assert due_key(AT, "0" * 23 + "e", "KIND") == Key("DUE#14", f"{AT}#{'0' * 23}e#KIND")
    assert due_key(AT, "0" * 23 + "3", "KIND") == Key("DUE#3", f"{AT}#{'0' * 23}3#KIND")


def test_a_log_names_a_partition_whole_only_where_ids_name_it() -> None:
    partitions = {key.pk for key in all_rows()}
    whole = {pk for pk in partitions if "#" in pk and partition_subject(pk) == pk}
    assert [pk for pk in whole if not re.fullmatch(r"[A-Z_]+(#([0-9a-f]{24}|[0-9a-f]|\d{4}-\d\d|RESERVE))+", pk)] == []
    assert {partition_subject(pk) for pk in partitions} >= {f"BOARD#{BOARD_ID}", "ALLOWANCE", "CODE", "EMAIL"}


@pytest.mark.parametrize(
    ("entity", "expected"),
    [
        *((entity, 4_096) for entity in (BOARD, DASHBOARD, SLOT, DOCUMENT_COMMENT_COUNT)),
        *((entity, 20_096) for entity in (DOCUMENT_COMMENT, MEETING_COMMENT, DASHBOARD_COMMENT)),
        *((entity, 65_536) for entity in (ACTION_ITEM_NOTES, VERSIONS_OF_DOCUMENT)),
        (MEETING_PEOPLE, 32_768),
        (DASHBOARD_FIGURES, 131_072),
        *((entity, 262_144) for entity in (AGENDA, MINUTES)),
        *((entity, 358_400) for entity in (DASHBOARD_FLAGS, DASHBOARD_PAYLOAD)),
    ],
)
def test_a_deletion_counts_an_item_as_the_largest_of_its_kind(entity: Entity, expected: int) -> None:
    key = entity.key_for(**{**dict.fromkeys(entity.parameters, ONE), "boardId": TWO})
    assert most_bytes(key) == expected


def test_the_partitions_of_recorded_responses_are_those_that_a_digest_leads_to() -> None:
    digits = sorted({*string.hexdigits.lower()})
    reached = [usage.idempotency_record_key("ann", digit * 64).pk for digit in digits]
    assert usage.idempotency_partitions("ann") == reached


def test_a_key_names_the_ids_that_it_was_built_of() -> None:
    ids = {"boardId": "a" * 24, "meetingId": "b" * 24, "slotId": "c" * 24, "userId": "d" * 24}
    vote = MEMBER_VOTE.key_for(**ids)
    assert MEMBER_VOTE.ids_of(vote) == ids
    assert not SLOT.is_kind_of(vote), "an item below another is of another kind"
    with pytest.raises(ValueError, match="is not a key of"):
        SLOT.ids_of(vote)


def test_a_membership_leads_back_to_its_user_on_its_board_alone() -> None:
    board, other, user = BoardId("a" * 24), BoardId("b" * 24), UserId("c" * 24)
    assert user_id_of(board, membership_id(board, user)) == user
    assert user_id_of(other, membership_id(board, user)) != user
