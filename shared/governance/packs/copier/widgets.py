"""Form fields and notes of a PDF as they are shown: what they are, what they have, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pikepdf import Array, Name, Object, Stream, String

from governance.packs.copier.syntax import inherited, member, name_text, rectangle

MULTILINE, PASSWORD, RADIO, BUTTON, COMBO, COMB = (1 << bit for bit in (12, 13, 15, 16, 17, 24))
"""What the flags of a field say."""
_OFF = "/Off"
_LARGEST = 14_400
"""Points of a side of a page."""


def text_of(value: Any) -> str:
    """Returns a value as text."""
    if isinstance(value, Array):
        return ", ".join(text_of(element) for element in value)
    if isinstance(value, Stream):
        return str(String(value.read_bytes()))
    return str(value) if isinstance(value, String) else name_text(value).removeprefix("/")


@dataclass(frozen=True)
class Widget:
    """A place where a field is shown, with what it inherits of its field and of the form."""

    annotation: Object
    form: Any

    def of_field(self, key: str) -> Any:
        """Returns an entry of the field, also one that it inherits."""
        value = inherited(self.annotation, key)
        return member(self.form, key) if value is None and key in {"/DA", "/Q"} else value

    @property
    def kind(self) -> Any:
        """The type of the field; a note that is written on the page is read as a field for text."""
        return Name.Tx if self._is_note else self.of_field("/FT")

    @property
    def value(self) -> Any:
        """What was entered."""
        return self.annotation.get("/Contents") if self._is_note else self.of_field("/V")

    @property
    def flags(self) -> int:
        """The bits of what the field may be."""
        bits = MULTILINE if self._is_note else self.of_field("/Ff")
        return bits if isinstance(bits, int) else 0

    @property
    def _is_note(self) -> bool:
        return bool(self.annotation.get("/Subtype") == Name.FreeText)

    def has(self, flag: int) -> bool:
        """Returns whether the field has a flag."""
        return bool(self.flags & flag)

    @property
    def options(self) -> list[tuple[str, str]]:
        """The options of a choice: the value that each exports, and what it shows."""
        listed = self.of_field("/Opt")
        pairs = (list(option) if isinstance(option, Array) else [option, option] for option in listed or ())
        return [(text_of(pair[0]), text_of(pair[-1])) for pair in pairs if pair]

    @property
    def is_marked(self) -> bool:
        """Whether a check box or radio button is chosen."""
        return (name_text(self.annotation.get("/AS") or self.value) or _OFF) != _OFF

    @property
    def rotation(self) -> int:
        """How far it is turned: 0, 90, 180 or 270 degrees."""
        turned = member(self.annotation.get("/MK"), "/R")
        return turned % 360 if isinstance(turned, int) and turned % 90 == 0 else 0

    @property
    def size(self) -> tuple[float, float] | None:
        """Width and height as it is read, in points; None for one that has no area."""
        place = rectangle(self.annotation.get("/Rect"))
        if place is None or place[2] - place[0] < 1 or place[3] - place[1] < 1:
            return None
        width, height = min(place[2] - place[0], _LARGEST), min(place[3] - place[1], _LARGEST)
        return (height, width) if self.rotation % 180 else (width, height)
