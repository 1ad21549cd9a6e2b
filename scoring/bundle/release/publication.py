"""Licence and authors of a published bundle, which the study itself does not contain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import is_one_line

MOST_AUTHORS = 100
LONGEST_AUTHOR = 200
ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
AUTHOR = re.compile(rf"(?P<family>[^,()]+)(?:,(?P<given>[^,()]+))?(?:\((?P<orcid>{ORCID.pattern})\))?")


@dataclass(frozen=True)
class Licence:
    """A licence for data: its SPDX identifier, name and address, and its name on data hubs."""

    spdx: str
    name: str
    url: str
    hub: str


LICENCES: Mapping[str, Licence] = {
    one.spdx: one
    for one in (
        Licence("CC-BY-4.0", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/", "cc-by-4.0"),
        Licence(
            "CC-BY-SA-4.0", "CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/", "cc-by-sa-4.0"
        ),
        Licence(
            "CC-BY-NC-4.0", "CC BY-NC 4.0", "https://creativecommons.org/licenses/by-nc/4.0/", "cc-by-nc-4.0"
        ),
        Licence("CC0-1.0", "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "cc0-1.0"),
        Licence("ODC-By-1.0", "ODC-By 1.0", "https://opendatacommons.org/licenses/by/1-0/", "odc-by"),
    )
}


# Of texts to which others have the rights.
RESERVED = "none"
TEXT_LICENCES = (*LICENCES, RESERVED)


@dataclass(frozen=True)
class Author:
    """An author of the data: a family name (or the name of a group), given names and ORCID iD."""

    family: str
    given: str = ""
    orcid: str = ""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read `Duarte, Ines (0000-0002-1825-0097)`; given names and iD may be missing.

        Raises
        ------
        ValueError
            The text is no such name.
        InvalidContent
            `bad_orcid`: the last character of the iD does not fit the others.
        """
        found = AUTHOR.fullmatch(text.strip())
        if found is None or not is_one_line(text) or len(text) > LONGEST_AUTHOR:
            raise ValueError(text)
        parts = {name: (part or "").strip() for name, part in found.groupdict().items()}
        if not parts["family"]:
            raise ValueError(text)
        _check_orcid(parts["orcid"])
        return cls(**parts)

    @property
    def full_name(self) -> str:
        """`Duarte, Ines`, or the name of a group."""
        return f"{self.family}, {self.given}" if self.given else self.family


@dataclass(frozen=True)
class Publication:
    """The licence of the data and their authors; empty where nothing is declared.

    `texts` is a licence of the texts of items other than that of the data; `are_texts_reserved` says that
    others have the rights to them.
    """

    licence: Licence | None = None
    authors: tuple[Author, ...] = ()
    texts: Licence | None = None
    are_texts_reserved: bool = False

    @property
    def licences(self) -> tuple[Licence, ...]:
        """The different licences of data and texts, that of the data first."""
        named = [one for one in (self.licence, self.texts) if one is not None]
        return tuple(dict.fromkeys(named))

    @property
    def of_everything(self) -> tuple[Licence, ...]:
        """The licences of data and texts; none where one of them has none."""
        return () if self.licence is None or self.are_texts_reserved else self.licences

    @property
    def of_texts(self) -> Licence | None:
        """The licence of the texts: their own, or that of the data unless they are reserved."""
        return None if self.are_texts_reserved else self.texts or self.licence

    @classmethod
    def read(cls, licence: str, authors: Sequence[str], texts: str = "") -> Self:
        """Read what was declared.

        Parameters
        ----------
        licence : str
            SPDX identifier; empty for none.
        authors : sequence of str
            As for `Author.read`; blank ones are skipped.
        texts : str
            SPDX identifier of the licence of the texts of items, or `none` where others have the rights;
            empty if it is that of the data.

        Raises
        ------
        InvalidContent
            `unknown_licence`, `bad_author`, `bad_orcid` or `too_many_authors`.
        """
        _check_licence("licence", licence, tuple(LICENCES))
        _check_licence("texts_licence", texts, TEXT_LICENCES)
        named = [author for author in authors if author.strip()]
        if len(named) > MOST_AUTHORS:
            refused = message("At most %(n)d authors can be named.", n=MOST_AUTHORS)
            raise InvalidContent(refused, code="too_many_authors", fields={"authors": refused})
        own = LICENCES.get(texts) if texts != licence else None
        return cls(LICENCES.get(licence), tuple(map(_author, named)), own, texts == RESERVED)


def _check_licence(field: str, licence: str, known: Sequence[str]) -> None:
    if licence and licence not in known:
        refused = message(
            "The licence %(licence)s does not exist here. Choose from %(known)s.",
            licence=repr(licence),
            known=", ".join(known),
        )
        raise InvalidContent(refused, code="unknown_licence", fields={field: refused})


def _author(text: str) -> Author:
    try:
        return Author.read(text)
    except ValueError as error:
        refused = message(
            "“%(text)s” cannot be read as an author. Write the family name, a comma and given names, then an "
            "ORCID iD in brackets if there is one; a group has one name without a comma.",
            text=text.strip(),
        )
        raise InvalidContent(refused, code="bad_author", fields={"authors": refused}) from error


def _check_orcid(orcid: str) -> None:
    if orcid and not has_check_digit(orcid):
        refused = message(
            "The check digit of the ORCID iD %(orcid)s does not fit: one of its characters is wrong. Copy "
            "the iD again from orcid.org.",
            orcid=orcid,
        )
        raise InvalidContent(refused, code="bad_orcid", fields={"authors": refused})


def has_check_digit(orcid: str) -> bool:
    """Whether the last character of an ORCID iD fits the others (ISO 7064, MOD 11-2)."""
    characters = orcid.replace("-", "")
    total = 0
    for digit in characters[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    return characters[-1] == ("X" if check == 10 else str(check))
