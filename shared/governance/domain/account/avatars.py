"""The pictures of users in notifications: generated, since no uploaded picture is stored (ADR documents)."""

from __future__ import annotations

from governance.models.account.user import StoredUser

NEUTRAL = "neutral"
"""The name of the picture for a person without one."""

_SHADE = 220
_HUES = 360
_PERSON = '<circle cx="32" cy="25" r="11" fill="#fff"/><path d="M12 58a20 20 0 0 1 40 0z" fill="#fff"/>'
_TEXT = '<text x="32" y="41" font-family="sans-serif" font-size="26" text-anchor="middle" fill="#fff">{}</text>'


def initials(user: StoredUser | None) -> str:
    """Returns the first letters of a user's names that are letters; empty for nobody and for a purged user."""
    names = (user.first_name, user.last_name) if user and not user.purged else ()
    return "".join(name[0].upper()[0] for name in names if name and name[0].isalpha())


def initials_avatar(user: StoredUser) -> str:
    """Returns a user's picture as SVG: the initials on a disc, whose colour depends on the user's id."""
    return _disc(int(user.id, 16) % _HUES, _TEXT.format(initials(user)))


def neutral_avatar() -> str:
    """Returns the picture for a person without one, as SVG."""
    return _disc(_SHADE, _PERSON)


def _disc(hue: int, figure: str) -> str:
    disc = f'<circle cx="32" cy="32" r="32" fill="hsl({hue} 40% 45%)"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{disc}{figure}</svg>'
