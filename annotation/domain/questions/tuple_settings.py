"""Settings of tuples: the parts that are marked, those that may be missing, and the nouns of a ground."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from annotation.domain.base.messages import message

# Scripts that set no space between words, so that a noun may end a longer run of letters.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003fffd]"
)


@dataclass(frozen=True)
class TupleSettings:
    """The settings of a criterion of kind tuples.

    Parameters
    ----------
    marked : tuple of str
        Parts that are marked in the text; the others are written. None: every part is a plain field.
    optional : tuple of str
        Parts that a tuple may lack, such as an implicit tenor, a comparator or an event.
    adjective_noun : tuple of str
        Parts that are written in two fields.
    nouns : tuple of str
        Nouns that are suggested while a noun is typed.
    general_nouns : tuple of str
        Nouns that are too general.
    refuse_general : bool
        Whether general nouns are refused; otherwise they are pointed out.
    units : str
        The unit by which keys and taps move: `characters` or `words`; empty: characters where the script has
        no spaces, else words.
    """

    marked: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    adjective_noun: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    general_nouns: tuple[str, ...] = ()
    refuse_general: bool = False
    units: str = ""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """From the settings of a criterion, which hold them under `tuples`."""
        given = settings.get("tuples", {})
        lists = ("marked", "optional", "adjective_noun", "nouns", "general_nouns")
        return cls(
            **{name: tuple(map(str, given.get(name, ()))) for name in lists},
            refuse_general=given.get("refuse_general") is True,
            units=str(given.get("units", "")),
        )

    def as_dict(self) -> dict[str, Any]:
        """As plain data, complete."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()
        }

    def stored(self) -> dict[str, Any]:
        """The settings as a criterion stores them under `tuples`: only set ones; empty if none is set."""
        found = {name: value for name, value in self.as_dict().items() if value}
        return {"tuples": found} if found else {}

    @property
    def noun_parts(self) -> tuple[str, ...]:
        """The parts that end in a noun, to which the lists of nouns belong."""
        return self.adjective_noun or ("ground",)

    def too_general(self, part: str, words: str) -> str:
        """The noun on the study's list in which a wording ends; empty where there is none."""
        if part not in self.noun_parts:
            return ""
        return next((noun for noun in self.general_nouns if ends_in(words, noun)), "")

    def problems(self, parts: Sequence[str]) -> dict[str, str]:
        """Return the problems of the settings, by setting.

        Parameters
        ----------
        parts : sequence of str
            The parts of a tuple.
        """
        found: dict[str, str] = {}
        for name in ("marked", "optional", "adjective_noun"):
            unknown = [part for part in getattr(self, name) if part not in parts]
            if unknown:
                found[name] = message(
                    "“%(name)s” is not a component. Choose one of: %(parts)s.",
                    name=unknown[0],
                    parts=", ".join(parts),
                )
        if set(parts) <= set(self.optional):
            found["optional"] = message("At least one component must not be optional.")
        both = [part for part in self.adjective_noun if part in self.marked]
        if both:
            found["adjective_noun"] = message(
                "“%(name)s” is marked in the text. Only written components can have two fields.",
                name=both[0],
            )
        if (self.nouns or self.general_nouns) and not set(self.noun_parts) & set(parts):
            found["nouns"] = message(
                "No component ends in a noun. Set one to adjective and noun, or name one “ground”."
            )
        doubled = [noun for noun in self.general_nouns if noun in self.nouns]
        if doubled:
            found["general_nouns"] = message(
                "“%(noun)s” is in both lists of nouns. Remove it from one of them.", noun=doubled[0]
            )
        return found


PLAIN = TupleSettings()


def ends_in(words: str, noun: str) -> bool:
    """Whether a wording ends in a noun; where the script has spaces, as a word of its own."""
    wording, wanted = words.strip().casefold(), noun.strip().casefold()
    if not wanted or not wording.endswith(wanted):
        return False
    before = wording[: -len(wanted)]
    return not before or not before[-1].isalnum() or bool(UNSPACED.match(wanted))
