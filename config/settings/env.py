"""Read settings from the environment and refuse wrong ones in one sentence.

Each reader returns the value or raises `SettingError`, which names the variable and
what it accepts.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}
SHORTEST_SECRET = 40
# What a command starts runs elsewhere than the command itself: relative paths are meant from here.
STARTED_IN = "GROUNDWORK_STARTED_IN"
# When `serve` started the web server and the workers together, in seconds since 1970.
SERVED_SINCE = "GROUNDWORK_SERVED_SINCE"


class SettingError(ImproperlyConfigured):
    """A setting is missing or cannot be read."""

    code = "bad_setting"


def text(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, "").strip() or default
    if value is None:
        raise SettingError(f"{name} is not set: it needs a value in this environment.")
    return value


def flag(name: str, *, default: bool) -> bool:
    word = os.environ.get(name, "").strip().lower()
    if not word:
        return default
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise SettingError(f"{name} is {word!r}: it accepts true or false.")


def number(name: str, *, default: int, minimum: int = 0, maximum: int | None = None) -> int:
    word = os.environ.get(name, "").strip()
    if not word:
        return default
    if not word.isdecimal() or int(word) < minimum or (maximum is not None and int(word) > maximum):
        most = "" if maximum is None else f" and at most {maximum}"
        raise SettingError(f"{name} is {word!r}: it accepts a whole number of at least {minimum}{most}.")
    return int(word)


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def choice(name: str, accepted: tuple[str, ...], default: str) -> str:
    word = os.environ.get(name, "").strip() or default
    if word not in accepted:
        raise SettingError(f"{name} is {word!r}: it accepts {' or '.join(accepted)}.")
    return word


def assigned(name: str, keys: tuple[str, ...]) -> dict[str, str]:
    """`KEY=VALUE,KEY=VALUE` with keys of a fixed list."""
    found = {}
    for word in words(name):
        key, _, value = (part.strip() for part in word.partition("="))
        if key not in keys or not value:
            raise SettingError(f"{name} has {word!r}: it accepts KEY=VALUE, with keys of {', '.join(keys)}.")
        found[key] = value
    return found


def from_here(path: Path) -> Path:
    """A path as the person means it who gave it: relative to the folder in which the command was called."""
    return (Path(os.environ.get(STARTED_IN, "")) / path.expanduser()).resolve()


def folder(name: str, default: Path) -> Path:
    given = Path(os.environ.get(name, "").strip() or default)
    try:
        path = from_here(given)
    except RuntimeError as problem:
        raise SettingError(
            f"{name} is {str(given)!r}, and no such user or home is known: it accepts an absolute path."
        ) from problem
    if path.exists() and not path.is_dir():
        raise SettingError(f"{name} is {str(path)!r}: it accepts a folder, and this is a file.")
    return path


def secret(name: str) -> str:
    value = text(name)
    if len(value) < SHORTEST_SECRET:
        raise SettingError(f"{name} is too short: it accepts {SHORTEST_SECRET} or more random characters.")
    return value


def token(name: str) -> str:
    """A key that is sent in a header; empty where there is none. No message repeats it."""
    value = text(name, "")
    if not value.isascii() or not value.isprintable() or " " in value:
        raise SettingError(f"{name} is no key: it accepts printable ASCII characters without spaces.")
    return value
