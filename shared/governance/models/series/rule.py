"""The rule of a series: a part of RFC 5545's RRULE (ADR series)."""

import re
from dataclasses import dataclass
from typing import Literal

from governance.agenda_limits import RULE_INTERVAL, RULE_LAST_DAY

Frequency = Literal["WEEKLY", "MONTHLY", "YEARLY"]
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_INTEGER = re.compile(r"-?[0-9]{1,3}", re.ASCII)
_BYDAY = re.compile(rf"([1-4]|-1)?({'|'.join(_WEEKDAYS)})", re.ASCII)
_PARTS = ("FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH")


@dataclass(frozen=True)
class Rule:
    """A parsed rule. A weekday is a pair: its ordinal in the month or year (None: each), and its number from Monday."""

    frequency: Frequency
    interval: int = 1
    weekdays: tuple[tuple[int | None, int], ...] = ()
    month_days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()


def parse(text: str) -> Rule:
    """Returns the rule of a text such as `FREQ=MONTHLY;BYDAY=1TU`. Raises `ValueError`, with what must be otherwise."""
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, equals, value = part.partition("=")
        if name not in _PARTS or not equals:
            raise ValueError(f"must consist of {', '.join(_PARTS)}, each as NAME=value, separated by semicolons")
        if name in parts:
            raise ValueError(f"must not have {name} twice")
        parts[name] = value
    rule = Rule(
        _frequency(parts.get("FREQ")),
        _numbers(parts, "INTERVAL", range(1, RULE_INTERVAL + 1), most=1)[0] if "INTERVAL" in parts else 1,
        _weekdays(parts["BYDAY"]) if "BYDAY" in parts else (),
        _numbers(parts, "BYMONTHDAY", (*range(1, RULE_LAST_DAY + 1), -1)) if "BYMONTHDAY" in parts else (),
        _numbers(parts, "BYMONTH", range(1, 13)) if "BYMONTH" in parts else (),
    )
    _check_parts(rule)
    return rule


def _frequency(text: str | None) -> Frequency:
    match text:
        case "WEEKLY" | "MONTHLY" | "YEARLY":
            return text
        case _:
            raise ValueError("must have FREQ=WEEKLY, FREQ=MONTHLY or FREQ=YEARLY")


def _numbers(
    parts: dict[str, str], name: str, allowed: range | tuple[int, ...], *, most: int | None = None
) -> tuple[int, ...]:
    texts = parts[name].split(",")
    if not all(_INTEGER.fullmatch(text) and int(text) in allowed for text in texts) or len(texts) > (
        most or len(texts)
    ):
        last = " or -1" if -1 in allowed else ""
        highest = max(allowed)
        raise ValueError(f"must have a {name} from 1 to {highest}{last}")
    return tuple(sorted({int(text) for text in texts}))


def _weekdays(text: str) -> tuple[tuple[int | None, int], ...]:
    matches = [_BYDAY.fullmatch(part) for part in text.split(",")]
    found = {(int(m[1]) if m[1] else None, _WEEKDAYS.index(m[2])) for m in matches if m}
    if None in matches:
        raise ValueError("must have a BYDAY of MO, TU, WE, TH, FR, SA or SU, with no ordinal but 1 to 4 or -1")
    if len({ordinal is None for ordinal, _ in found}) > 1:
        raise ValueError("must give an ordinal to each weekday of BYDAY, or to none")
    return tuple(sorted(found, key=lambda pair: (pair[0] or 0, pair[1])))


def _check_parts(rule: Rule) -> None:
    if rule.frequency != "WEEKLY":
        return
    if rule.month_days:
        raise ValueError("must not have BYMONTHDAY with FREQ=WEEKLY")
    if any(ordinal is not None for ordinal, _ in rule.weekdays):
        raise ValueError("must not have an ordinal in BYDAY with FREQ=WEEKLY")
