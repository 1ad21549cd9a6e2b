"""The JSON Schema of a study definition: every setting with its bounds, its default and what it is for."""

from __future__ import annotations

from typing import Any

from annotation.domain.base.limits import (
    CURRENCY,
    FEWEST_PAGES_BEFORE_BREAK,
    LANGUAGE,
    LONGEST_EXAMPLE_ANSWER,
    LONGEST_EXAMPLE_REASON,
    LONGEST_ITEM_TEXT,
    LONGEST_LANGUAGE_CODE,
    LONGEST_MINIMUM_PAGE_SECONDS,
    LONGEST_PAGE_SECONDS,
    LONGEST_REFERENCE_REASON,
    LONGEST_RETENTION_DAYS,
    LONGEST_TEXT,
    LONGEST_TITLE,
    LONGEST_WARNING,
    MOST_BATCHES_PER_RATER,
    MOST_CHECK_JITTER,
    MOST_ITEMS_BETWEEN_CHECKS,
    MOST_ITEMS_PER_RATER,
    MOST_MINUTES,
    MOST_PAGES_BEFORE_BREAK,
    MOST_PAGES_PER_BATCH,
    MOST_PLANNED_RATINGS_PER_ITEM,
    MOST_TOLERANCE,
    SHORT_NAME,
)
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.base.states import DesignKind, values
from annotation.domain.pay.wages import PayFor
from annotation.domain.people import translated_texts
from annotation.domain.people.demographics import (
    LONGEST_ANSWER,
    LONGEST_QUESTION,
    MOST_OPTIONS,
    MOST_QUESTIONS,
    DemographicKind,
)
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.kinds.registry import DEFAULT_KIND, KINDS
from annotation.domain.seats.stages import StagePeople, StageRule

FORMAT = "groundwork-study"
VERSION = 1
MOST_FORMS = 50
MOST_CRITERIA = 100
# A scale from 0 to 100 has one more than a hundred.
MOST_POINTS = 101
MOST_PLANTED = 1000
MOST_EXAMPLES = 100
KEY = f"^{SHORT_NAME}$"
AMOUNT = r"^[0-9]{1,6}(\.[0-9]{1,4})?$"
Schema = dict[str, Any]


def _object(described: str, needed: tuple[str, ...] = (), **properties: Schema) -> Schema:
    return {
        "description": described,
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


def _list(described: str, of: Schema, most: int, least: int = 0) -> Schema:
    return {
        "description": described,
        "type": "array",
        "items": of,
        "minItems": least,
        "maxItems": most,
        "default": [],
    }


def _text(described: str, longest: int = LONGEST_TEXT, *, least: int = 0, **more: Any) -> Schema:
    optional = {} if least else {"default": ""}
    return {
        "description": described,
        "type": "string",
        "minLength": least,
        "maxLength": longest,
        **optional,
        **more,
    }


def _key(described: str, longest: int = 60) -> Schema:
    return _text(described, longest, least=1, pattern=KEY)


def _stored(described: str, longest: int) -> Schema:
    """A value that is stored as text and may be written as a number."""
    return {
        "description": described,
        "type": ["string", "integer"],
        "maxLength": longest,
        "minimum": -9999,
        "maximum": 9999,
    }


def _word(described: str, words: list[str], default: str | None = None) -> Schema:
    optional = {} if default is None else {"default": default}
    return {"description": described, "enum": words, **optional}


def _flag(described: str, *, default: bool = False) -> Schema:
    return {"description": described, "type": "boolean", "default": default}


def _whole(described: str, low: int, high: int, default: int | None) -> Schema:
    kinds = ["integer", "null"] if default is None else "integer"
    return {"description": described, "type": kinds, "minimum": low, "maximum": high, "default": default}


def _number(described: str, low: float, high: float) -> Schema:
    return {
        "description": described,
        "type": ["number", "null"],
        "minimum": low,
        "maximum": high,
        "default": None,
    }


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"], "default": None}


TEXTS: Schema = {
    "description": "Item field → text. `{vehicle:a bell}` marks a component in calibration items.",
    "type": "object",
    "additionalProperties": {"type": "string", "maxLength": LONGEST_TEXT},
    "maxProperties": 50,
    "default": {},
}
STUDY = _object(
    "Texts and rules of the study.",
    ("title",),
    title=_text("Its name, on one line.", LONGEST_TITLE, least=1),
    description=_text("What it is about."),
    language=_text("Language code of the texts.", LONGEST_LANGUAGE_CODE, pattern=f"^{LANGUAGE}$")
    | {"default": "en"},
    interface_language=_text(
        "In which raters’ pages begin; empty: that of each rater’s browser.",
        LONGEST_LANGUAGE_CODE,
        pattern=f"^({LANGUAGE})?$",
    ),
    content_warning=_text("Stands before the consent text.", LONGEST_WARNING),
    consent=_text("What raters agree to."),
    instructions=_text("The guide."),
    translations=translated_texts.STUDY,
    seat_minutes=_whole("Minutes an item is held for a rater.", 1, MOST_MINUTES, 60),
    least_seconds=_whole("A page takes at least so long.", 1, LONGEST_MINIMUM_PAGE_SECONDS, None),
    exempt_characters=_whole(
        "Pages none of whose texts is longer are exempt from it.", 0, LONGEST_ITEM_TEXT, 0
    ),
    break_after=_whole(
        "A break is suggested to raters after so many pages.",
        FEWEST_PAGES_BEFORE_BREAK,
        MOST_PAGES_BEFORE_BREAK,
        None,
    ),
    include_late=_flag("Late answers count in figures of agreement."),
    on_withdrawal=_word("What becomes of the answers of a leaver.", ["keep", "exclude", "erase"], "keep"),
    keep_about_days=_whole(
        "Days after closing that answers about the raters are kept.", 0, LONGEST_RETENTION_DAYS, None
    ),
    keep_ids_days=_whole(
        "Days after closing that what says who raters are is kept.", 0, LONGEST_RETENTION_DAYS, None
    ),
    keep_activity_days=_whole(
        "Days after closing that how raters worked is kept.", 0, LONGEST_RETENTION_DAYS, None
    ),
)
SERVING = _object(
    "How items are handed out.",
    design=_word("The design.", values(DesignKind), DesignKind.POOL.value),
    keep_groups=_word("How candidates of a group come.", values(GroupPlacement), GroupPlacement.FREE.value),
    batch_size=_whole("Pages of a batch.", 1, MOST_PAGES_PER_BATCH, None),
    batches_per_rater=_whole("Most batches for one rater.", 1, MOST_BATCHES_PER_RATER, None),
    mixed=_flag("A batch holds pages of several forms."),
    more_allowed=_flag("Whoever reaches the most they are given may ask for more."),
) | {"default": {}}
POINT = _object(
    "A point of a scale, an option, or a part of a tuple.",
    ("value",),
    value=_stored("What is stored; a whole number on a Likert scale.", 60),
    label=_text("What is shown.", 120),
    description=_text("The rubric: what the point means."),
    keyboard={
        "description": "The key that chooses it; left out: the digit of its place, counted from 1.",
        "type": ["string", "null"],
        "maxLength": 1,
        "default": None,
    },
)
OPTIONS = _object(
    "How a choice tells its options, and how tuples are given.",
    (),
    shuffled=_flag("Each rater sees them in an order of their own."),
    unsure=_stored("The value of the option that says “not sure”: it stays last.", 60) | {"default": ""},
    answer_key=_text("The item's metadata that hold the right value; raters never see them.", 60),
    **{key: dict(kind.settings_schema) for key, kind in KINDS.items() if kind.settings_schema},
) | {"default": {}}
CRITERION = _object(
    "One question of a form.",
    ("key", "name"),
    key=_key("Its name in files."),
    name=_text("Its name on pages.", 120, least=1),
    question=_text("What is asked."),
    kind=_word("How it is answered.", list(KINDS), DEFAULT_KIND),
    minimum=_number("Lower end of a scale; left out: its first point.", -9999, 9999),
    maximum=_number("Upper end of a scale; left out: its last point.", -9999, 9999),
    required=_flag("It must be answered.", default=True),
    asked_after=_text("Asked only where this earlier criterion of the form …", 60),
    asked_when=_stored("… has this answer.", 60) | {"default": ""},
    points=_list("Points of the scale, options, or parts of a tuple.", POINT, MOST_POINTS),
    settings=OPTIONS,
)
BLOCK = _object(
    "A text of the item, as shown.",
    ("field",),
    field=_text("The item's field.", 120, least=1),
    label=_text("Its heading.", 120),
    role=_word("How it is set.", ["literal", "figure", "text", "options", "side"], "text"),
    mark=_list("Component parts to emphasise.", _text("A part.", 60, least=1), 20),
    lang=_text("Language code, where it is not that of the study.", 12),
    optional=_flag("An item may lack it."),
    of=_text("Role options: the criterion whose options its lines are. Role side: that it is a side of.", 60),
    value=_text("Role side: the point that it shows.", 60),
    blank=_flag("A run of underscores in it is a gap to be filled."),
)
EXAMPLE = _object(
    "A text with a rating of it, good or bad, and the reason.",
    ("criterion", "text", "answer", "reason"),
    criterion=_text("The criterion of this form that it is about.", 60, least=1),
    text=_text("The text that is rated. `{vehicle:a bell}` marks a component.", LONGEST_ITEM_TEXT, least=1),
    answer=_stored("The value of a point, or the answer in words.", LONGEST_EXAMPLE_ANSWER),
    right=_flag("It is a good rating.", default=True),
    reason=_text("Why it is good or bad.", LONGEST_EXAMPLE_REASON, least=1),
)
PRACTICE = _object(
    "A text of the practice item.",
    ("field", "text"),
    field=_text("The item’s field.", 120, least=1),
    text=_text("What stands in it.", LONGEST_ITEM_TEXT, least=1),
)
FED_BY = _or_null(
    _object(
        "The stage before: this form is given the items that its answers let through; null for all items.",
        ("form", "criterion", "value"),
        form=_key("The earlier form."),
        criterion=_key("The criterion of it that decides."),
        value=_stored("The answer that lets an item through.", 60),
        rule=_word(
            "How many of the raters that the earlier form wants must give it.",
            values(StageRule),
            StageRule.ALL.value,
        ),
        people=_word(
            "Who rates by this form: anybody; others than rated the item before; others than rated any.",
            values(StagePeople),
            StagePeople.OTHERS.value,
        ),
        suggestions=_flag("Raters see the earlier answers, and begin with them.", default=True),
        matches={
            "description": "Criterion of this form → earlier criterion that suggests its answer; none given: "
            "those of the same name.",
            "type": "object",
            "additionalProperties": {"type": "string", "maxLength": 60},
            "maxProperties": MOST_CRITERIA,
            "default": {},
        },
    )
)
FORM = _object(
    "Criteria that one rater answers together for one item.",
    ("key", "title", "criteria"),
    key=_key("Its name in files."),
    title=_text("Its name on pages.", LONGEST_TITLE, least=1),
    overlap=_whole("Raters each item needs.", 1, MOST_PLANNED_RATINGS_PER_ITEM, 3),
    per_rater=_whole("Most items for one rater.", 1, MOST_ITEMS_PER_RATER, None),
    question=_text("Stands above the criteria."),
    cannot_rate=_flag("Raters may say that they can't rate.", default=True),
    blocks=_list("What of an item is shown; none for all there is.", BLOCK, 50),
    criteria=_list("The questions.", CRITERION, MOST_CRITERIA, least=1),
    examples=_list("Worked examples of the instructions.", EXAMPLE, MOST_EXAMPLES),
    practice=_list("The texts of an item that raters may try first; none: no such page.", PRACTICE, 50),
    translations=translated_texts.FORM,
    fed_by=FED_BY,
)
QUESTION = _object(
    "A question about the rater.",
    ("key", "text", "kind"),
    key=_key("Its name in files.", 40),
    text=_text("What is asked.", LONGEST_QUESTION, least=1),
    kind=_word("How it is answered.", values(DemographicKind)),
    options=_list("Of a choice.", _text("An option.", LONGEST_ANSWER, least=1), MOST_OPTIONS),
    translations=translated_texts.QUESTION,
)
CHECK = _object(
    "An attention check: on the page of a form, or with a question of its own.",
    ("key", "kind"),
    key=_key("Its name.", 40),
    kind=_word("What it tells.", values(CheckKind)),
    form=_text("Key of the form on whose page it comes.", 60),
    question=_text("A question of its own, in place of a form.", 1000),
    options=_list("Of its own question; none for an answer in words.", _text("An option.", 60, least=1), 20),
    texts=TEXTS,
    original=_text("Twin: key of the item it is a degraded copy of.", 120),
    settings={
        "description": "By kind: told; reference and tolerance; criteria and tolerance; accepted; right.",
        "type": "object",
        "default": {},
    },
    translations=translated_texts.CHECK,
)
CHECKS = _object(
    "Attention checks.",
    every=_whole("One after about so many items.", 2, MOST_ITEMS_BETWEEN_CHECKS, None),
    jitter=_whole("Moved by up to so many.", 0, MOST_CHECK_JITTER, 0),
    planted=_list("The checks, in order.", CHECK, MOST_PLANTED),
) | {"default": {}}
CALIBRATION = _object(
    "An item with known values.",
    ("form", "reference"),
    form=_text("Key of the form by which it is answered.", 60, least=1),
    item=_text("Key of an item of the study, in place of texts.", 120),
    texts=TEXTS,
    reference={
        "description": "Criterion → value.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"type": ["number", "string"], "maxLength": 60},
    },
    reason=_text("Why these values.", LONGEST_REFERENCE_REASON),
    translations=translated_texts.REASON,
)
PAGE = _object(
    "A text read before the calibration items.",
    ("title", "text"),
    title=_text("Its heading.", LONGEST_TITLE, least=1),
    text=_text("The text.", least=1),
    translations=translated_texts.PAGE,
)
QUALIFICATION = _or_null(
    _object(
        "What raters read and answer before the main work; null for nothing.",
        ("rule",),
        rule=_word("How it is passed.", values(RuleKind)),
        tolerance=_number("Rule near: how far from the reference.", 0, MOST_TOLERANCE),
        share=_number("Rule near: least share of values within the tolerance.", 0, 1),
        least=_number("Rule rank: least rank correlation.", -1, 1),
        attempts=_whole("How often a rater may try; null for as often as wished.", 1, 1000, None),
        feedback=_flag("The reference is shown after each answer.", default=True),
        items_per_attempt=_whole(
            "How many of the items an attempt has; null for all.", 1, MOST_PLANTED, None
        ),
        pages=_list("Background pages.", PAGE, 100),
        items=_list("Calibration items.", CALIBRATION, MOST_PLANTED),
    )
)
PAY = _or_null(
    _object(
        "What raters are paid; null where it is not set.",
        ("currency", "amount"),
        currency=_text("Three capital letters.", 3, least=3, pattern=f"^{CURRENCY}$"),
        paid_for=_word("What the amount is for.", values(PayFor), PayFor.PAGE.value),
        amount=_text('As text, to keep it exact: "0.25".', 12, least=1, pattern=AMOUNT),
        floor=_or_null(_text("The least that an hour should earn.", 12, least=1, pattern=AMOUNT)),
        page_seconds=_number("How long a page is expected to take.", 1, LONGEST_PAGE_SECONDS),
        shown=_flag("Raters read amount and time before they start."),
    )
)
SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Groundwork study definition",
    **_object(
        "A study without its items and people.",
        ("format", "version", "study"),
        format={"description": "What the document is.", "const": FORMAT},
        version={"description": "Of this schema.", "const": VERSION},
        study=STUDY,
        serving=SERVING,
        forms=_list("Forms, in order.", FORM, MOST_FORMS),
        demographics=_list("Questions about the rater.", QUESTION, MOST_QUESTIONS),
        checks=CHECKS,
        qualification=QUALIFICATION,
        pay=PAY,
    ),
}
