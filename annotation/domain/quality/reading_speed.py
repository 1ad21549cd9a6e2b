"""Reading speed: the shortest plausible time for an answer about a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message

# Mean silent rate of adults for English non-fiction, and mean rate aloud: Brysbaert (2019), Journal
# of Memory and Language 109. In the 17 languages of Trauzettel-Klosinski & Dietz (2012), IOVS 53,
# none is read in more words a minute than English, so its rate is generous to readers of the others.
WORDS_SILENT = 238.0
WORDS_ALOUD = 183.0
SILENT_TO_ALOUD = WORDS_SILENT / WORDS_ALOUD

# Characters a minute. Chinese 255 and Japanese 357 aloud: Trauzettel-Klosinski & Dietz (2012).
# Korean 202 words a minute in silence: Rhiu et al. (2017), Korean Journal of Ophthalmology 31; three
# syllables a word are this project's assumption.
CHARACTERS_SILENT = {"zh": 255 * SILENT_TO_ALOUD, "ja": 357 * SILENT_TO_ALOUD, "ko": 202 * 3.0}
UNSPACED_UNMEASURED = frozenset({"th", "lo", "km", "my", "bo"})

# Most adults read English at 175 to 320 words a minute (Brysbaert 2019): hardly anyone reads at twice
# the mean. Choosing a point takes time too, with the keyboard little.
FASTEST = 2.0
SECONDS_A_CRITERION = 0.5


@dataclass(frozen=True)
class Minimum:
    """The least time an answer must take by the study's own rule.

    A page is exempt if none of its texts is longer than `exempt_characters`.
    """

    seconds: float
    exempt_characters: int = 0


@dataclass(frozen=True)
class Least:
    """The least seconds of one page: to read and answer at all, and by the study's rule.

    `floor` is None if the reading speed of the language is not known; `minimum` if the rule does not apply.
    """

    floor: float | None
    minimum: float | None

    @property
    def seconds(self) -> float:
        return max(self.floor or 0.0, self.minimum or 0.0)


def usual_seconds(text: str, language: str) -> float | None:
    """How long an adult usually takes to read a text in silence; None where that is not known.

    Words are counted where a script has spaces, characters in Chinese, Japanese and Korean; a text
    that mixes them is read at the rate of each part.

    References
    ----------
    Brysbaert (2019); Trauzettel-Klosinski & Dietz (2012); Rhiu et al. (2017).
    """
    code = language.lower().replace("_", "-").partition("-")[0]
    if code in UNSPACED_UNMEASURED:
        return None
    # Texts of ASCII, of which there are thousands on a list of raters, have no wide characters.
    minutes, rest = (0.0, text) if text.isascii() else _minutes_of_wide(text, code)
    words = sum(any(map(str.isalnum, word)) for word in rest.split())
    return 60 * (minutes + words / WORDS_SILENT)


def _minutes_of_wide(text: str, code: str) -> tuple[float, str]:
    """The time for Chinese, Japanese and Korean characters, and the text with spaces in their place."""
    minutes = 0.0
    rest = []
    for character in unicodedata.normalize("NFKC", text):
        wide = unicodedata.east_asian_width(character) in "WF"
        if wide and unicodedata.category(character)[0] in "LN":
            minutes += 1 / CHARACTERS_SILENT[_script(character, code)]
        rest.append(" " if wide else character)
    return minutes, "".join(rest)


def least_seconds(
    texts: Sequence[str], language: str, *, criteria: int, minimum: Minimum | None = None
) -> Least:
    """The least seconds an honest answer to a page with these texts and so many criteria can take."""
    usual = usual_seconds(" ".join(texts), language)
    floor = None if usual is None else usual / FASTEST + criteria * SECONDS_A_CRITERION
    exempt = minimum is None or all(len(text.strip()) <= minimum.exempt_characters for text in texts)
    return Least(floor, None if minimum is None or exempt else minimum.seconds)


def check_minimum(seconds: int | None, *, seat_minutes: int) -> None:
    """Refuse a minimum page time that is longer than an item is reserved (`minimum_too_long`)."""
    if seconds is not None and seconds >= 60 * seat_minutes:
        raise InvalidContent(
            message(
                "The minimum page time (%(seconds)s s) must be shorter than the reservation time "
                "(%(minutes)s min). Shorten the minimum page time or lengthen the reservation time.",
                seconds=seconds,
                minutes=seat_minutes,
            ),
            code="minimum_too_long",
        )


def too_fast(seconds: float, least: Least) -> str:
    """Why an answer came too fast: `minimum`, `reading`, or empty where it did not."""
    if least.minimum is not None and seconds < least.minimum:
        return "minimum"
    return "reading" if least.floor is not None and seconds < least.floor else ""


def _script(character: str, code: str) -> str:
    if unicodedata.name(character, "").startswith("HANGUL"):
        return "ko"
    return "ja" if code == "ja" else "zh"
