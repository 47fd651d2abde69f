"""What nobody handled outlives a restart of the engine, however long the machine was off and whatever its clock did."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from ministack.core import persistence
from ministack.core.responses import AccountRegionScopedDict
from ministack.services import dynamodb

from infra.local import engine_queues, engine_streams

_NOW = 1_900_000_000.0
_DAY = 86_400.0


def message(sent_at: float, delay: float = 0.0, **more: Any) -> dict[str, Any]:
    return {"sent_at": sent_at, "visible_at": sent_at + delay, "receive_count": 0, "receipt_handle": None, **more}


@pytest.mark.parametrize("off", [0.0, 3 * _DAY, 400 * _DAY, -_DAY])
def test_a_message_that_was_received_is_visible_and_kept_as_if_it_were_new(off: float) -> None:
    kept = message(_NOW - off, 30, receive_count=2, receipt_handle="held")
    engine_queues.give_back(kept, _NOW)
    assert (kept["receive_count"], kept["receipt_handle"]) == (1, None)
    assert (kept["visible_at"], kept["enqueued_at"]) == (_NOW, _NOW)


@pytest.mark.parametrize(
    ("sent_at", "visible_at"), [(_NOW, _NOW + 60), (_NOW - 40, _NOW + 20), (_NOW + _DAY, _NOW + 60)]
)
def test_a_delay_goes_on_and_is_no_longer_where_the_clock_was_put_back(sent_at: float, visible_at: float) -> None:
    kept = message(sent_at, 60)
    engine_queues.give_back(kept, _NOW)
    assert (kept["visible_at"], kept["receive_count"], kept["enqueued_at"]) == (visible_at, 0, _NOW)


def test_a_stream_keeps_what_nobody_read_while_the_machine_was_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    records = AccountRegionScopedDict()
    old = {"dynamodb": {"SequenceNumber": "7", "ApproximateCreationDateTime": time.time() - 30 * _DAY}}
    records.set_scoped("000000000000", "eu-west-1", "kept", [old])
    monkeypatch.setattr(dynamodb, "_stream_records", AccountRegionScopedDict())
    monkeypatch.setattr(dynamodb, "_STREAM_RETENTION_SECONDS", _DAY)
    saved = {"records": records, "positions": {"events": {"shard": "6"}}}
    monkeypatch.setattr(persistence, "load_state", lambda _: saved)
    engine_streams.restore(tmp_path)
    dynamodb._trim_stream_records("kept", account_id="000000000000", region="eu-west-1")
    assert dynamodb._stream_records.all_values() == [[old]]
    assert engine_streams.positions(tmp_path) == {"events": {"shard": "6"}}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff"])
def test_a_reader_whose_position_is_damaged_begins_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "events.json").write_text(json.dumps({"shard": "6"}))
    (tmp_path / "ringer.json").write_bytes(content)
    assert engine_streams.positions(tmp_path) == {"events": {"shard": "6"}, "ringer": {}}
