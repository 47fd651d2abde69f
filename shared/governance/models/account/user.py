"""Users (the API specification, section 2.1)."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator

from governance.ids import UserId
from governance.instants import Instant
from governance.limits import AVATAR_URL, PERSON_NAME
from governance.models.base import Patch, Resource, Stored
from governance.models.text import NoControls, NotBlank, text
from governance.models.zones import check_timezone

UserStatus = Literal["active", "suspended", "inactive"]
_LANGUAGES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905 - a table is read more easily than a list of 185 quotes
)


class StoredUser(Stored):
    """A user as it is stored.

    `named` says that the user changed their name, so that claims of a session no longer change it. A `purged` user has
    only an id. `claims_issued_at` is when the latest session that made a request was issued, in milliseconds since
    1970.
    """

    id: UserId
    email: str
    first_name: str | None = None
    last_name: str | None = None
    avatar_url: str | None = None
    timezone: str | None = None
    language: str | None = None
    status: UserStatus = "active"
    named: bool = False
    purged: bool = False
    claims_issued_at: int = 0
    created_at: Instant
    updated_at: Instant
    version: int = 1

    @property
    def full_name(self) -> str:
        """First and last name, as far as they are known."""
        return " ".join(part for part in (self.first_name, self.last_name) if part)


class User(Resource):
    """A user, as seen by themselves."""

    object: Literal["user"] = "user"
    id: str
    email: str
    """The user's e-mail address, from their newest session."""
    first_name: str | None
    """Given name, or null if it is unknown."""
    last_name: str | None
    """Family name, or null if it is unknown."""
    full_name: str
    """First and last name, as far as they are known, separated by a space."""
    avatar_url: str | None
    """Address of the user's picture, or null."""
    timezone: str | None
    """IANA time zone identifier such as `Europe/Paris`, or null."""
    language: str | None
    """ISO 639-1 code such as `en`, or null."""
    created_at: str
    updated_at: str


def https_url(value: str) -> str:
    """Returns an absolute https URL. Raises `ValueError` for any other text, or for white space or controls in it."""
    try:
        parts = urlsplit(value)
        fits = parts.scheme == "https" and bool(parts.hostname) and not re.search(r"[\s\x00-\x20\x7f-\x9f<>\"]", value)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError("must be an absolute https URL")
    return value


def language_code(value: str) -> str:
    """Returns a language code of ISO 639-1. Raises `ValueError` for any other text."""
    if value not in _LANGUAGES:
        raise ValueError("must be a lower-case ISO 639-1 code such as en")
    return value


PersonName = Annotated[str, text(1, PERSON_NAME), NotBlank, NoControls]


class UserPatch(Patch):
    """The fields of your user to change; at least one."""

    first_name: PersonName | None = None
    """New given name without control characters. Null clears it."""
    last_name: PersonName | None = None
    """New family name without control characters. Null clears it."""
    avatar_url: Annotated[str, text(1, AVATAR_URL), AfterValidator(https_url)] | None = None
    """An absolute `https` URL. Null clears it."""
    timezone: Annotated[str, AfterValidator(check_timezone)] | None = None
    """IANA time zone identifier such as `Europe/Paris`. Null clears it."""
    language: Annotated[str, AfterValidator(language_code)] | None = None
    """ISO 639-1 code such as `en`. Null clears it."""
