"""What the pages of a certificate are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.texts import Language


@dataclass(frozen=True)
class CertificateContent:
    """The certificate of a resolution as it is served, its members, and the names of people and papers by their ids.

    The names are those of today, as far as all readers of its PDF may see them. Times are told in `timezone`.
    """

    text: str
    facts: Mapping[str, Any]
    names: Mapping[str, str]
    papers: Mapping[str, str]
    timezone: str
    language: Language

    @property
    def is_logged(self) -> bool:
        """Whether it has the proof that its event is in the log that nobody can rewrite."""
        return self.facts["event"]["proof"] is not None
