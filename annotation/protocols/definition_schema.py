"""The JSON Schema of a study definition: every setting with its limits, default and purpose."""

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
    LONGEST_REFERENCE,
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
from annotation.domain.items.media import BLOCK_ROLES
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
from annotation.domain.seats.pairing import PAIRING_SCHEMA
from annotation.domain.seats.stages import StagePeople, StageRule

FORMAT = "groundwork-study"
VERSION = 1
MOST_FORMS = 50
MOST_CRITERIA = 100
# A scale from 0 to 100 has 101 points.
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
    length = {"minLength": least, "maxLength": longest}
    return {"description": described, "type": "string", **length, **optional, **more}


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
    "Texts and settings of the study.",
    ("title",),
    title=_text("Title of the study, on one line.", LONGEST_TITLE, least=1),
    description=_text("Description of the study."),
    language=_text("Language code of the texts.", LONGEST_LANGUAGE_CODE, pattern=f"^{LANGUAGE}$")
    | {"default": "en"},
    interface_language=_text(
        "First language of raters’ pages; empty for that of the browser.",
        LONGEST_LANGUAGE_CODE,
        pattern=f"^({LANGUAGE})?$",
    ),
    content_warning=_text("Content warning, shown before the consent form.", LONGEST_WARNING),
    consent=_text("Consent form."),
    instructions=_text("Instructions for raters."),
    translations=translated_texts.STUDY,
    seat_minutes=_whole("Reservation time of an item, in minutes.", 1, MOST_MINUTES, 60),
    last_seat_minutes=_whole(
        "Reservation time of the last items, in minutes; null for no difference.", 1, MOST_MINUTES, None
    ),
    least_seconds=_whole("Minimum page time, in seconds.", 1, LONGEST_MINIMUM_PAGE_SECONDS, None),
    exempt_characters=_whole(
        "No minimum page time for texts of up to this many characters.", 0, LONGEST_ITEM_TEXT, 0
    ),
    break_after=_whole(
        "Pages between suggested breaks.", FEWEST_PAGES_BEFORE_BREAK, MOST_PAGES_BEFORE_BREAK, None
    ),
    include_late=_flag("Include late responses in agreement statistics."),
    on_withdrawal=_word("Responses of raters who withdraw.", ["keep", "exclude", "erase"], "keep"),
    keep_about_days=_whole(
        "Demographic answers: days retained after closing.", 0, LONGEST_RETENTION_DAYS, None
    ),
    keep_ids_days=_whole(
        "Platform IDs, accounts: days retained after closing.", 0, LONGEST_RETENTION_DAYS, None
    ),
    keep_activity_days=_whole("Page activity: days retained after closing.", 0, LONGEST_RETENTION_DAYS, None),
)
SERVING = _object(
    "How items are assigned to raters.",
    design=_word("Assignment design.", values(DesignKind), DesignKind.POOL.value),
    keep_groups=_word(
        "Order of the candidates of a group.", values(GroupPlacement), GroupPlacement.FREE.value
    ),
    batch_size=_whole("Pages per batch.", 1, MOST_PAGES_PER_BATCH, None),
    batches_per_rater=_whole("Limit per rater, in batches.", 1, MOST_BATCHES_PER_RATER, None),
    mixed=_flag("A batch mixes pages of several forms."),
    more_allowed=_flag("Raters who reach their limit can request more items."),
) | {"default": {}}
POINT = _object(
    "A scale point, an option, or a component of a tuple.",
    ("value",),
    value=_stored("Stored value; a whole number on a Likert scale.", 60),
    label=_text("Label shown to raters.", 120),
    description=_text("Rubric: the meaning of the point."),
    keyboard={
        "description": "Keyboard shortcut; by default the digit of its position, counted from 1.",
        "type": ["string", "null"],
        "maxLength": 1,
        "default": None,
    },
)
OPTIONS = _object(
    "Settings of choice questions and tuples.",
    (),
    shuffled=_flag("Each rater sees the options in a different order."),
    unsure=_stored("Value of the “not sure” option, which is always last.", 60) | {"default": ""},
    answer_key=_text("Item metadata with the correct answer; raters never see it.", 60),
    **{key: dict(kind.settings_schema) for key, kind in KINDS.items() if kind.settings_schema},
) | {"default": {}}
LEAST_ENDS, GREATEST_ENDS = zip(*(kind.widest for kind in KINDS.values()), strict=True)
CRITERION = _object(
    "A criterion of a form.",
    ("key", "name"),
    key=_key("Short name in files."),
    name=_text("Name on pages.", 120, least=1),
    question=_text("Question shown to raters."),
    kind=_word("Question type.", list(KINDS), DEFAULT_KIND),
    minimum=_number("Lower end of a scale; by default its first point.", min(LEAST_ENDS), 9999),
    maximum=_number("Upper end of a scale; by default its last point.", -9999, max(GREATEST_ENDS)),
    required=_flag("Required.", default=True),
    asked_after=_text("Shown only if this earlier criterion of the form …", 60),
    asked_when=_stored("… has this answer, or on a scale an answer such as >=4 or <=2.", 60)
    | {"default": ""},
    points=_list("Scale points, options, or components of a tuple.", POINT, MOST_POINTS),
    settings=OPTIONS,
)
BLOCK = _object(
    "A text of the item, as displayed.",
    ("field",),
    field=_text("Column of the item.", 120, least=1),
    label=_text("Heading.", 120),
    role=_word("Display style.", BLOCK_ROLES, "text"),
    mark=_list("Components to emphasise.", _text("A component.", 60, least=1), 20),
    lang=_text("Language code, if it differs from that of the study.", 12),
    optional=_flag("Items without this text are allowed."),
    of=_text("Role options: the criterion whose options the lines are. Role side: the comparison.", 60),
    value=_text("Role side: the value of the option shown.", 60),
    blank=_flag("A run of underscores in the text is a gap to fill."),
    whole=_flag("Must be heard or seen to the end."),
)
EXAMPLE = _object(
    "A text with a good or a bad rating, and the reason.",
    ("criterion", "text", "answer", "reason"),
    criterion=_text("The criterion that the example is about.", 60, least=1),
    text=_text("The rated text. `{vehicle:a bell}` marks a component.", LONGEST_ITEM_TEXT, least=1),
    answer=_stored("The value of a point, or a free-text answer.", LONGEST_EXAMPLE_ANSWER),
    right=_flag("The rating is good.", default=True),
    reason=_text("Reason why the rating is good or bad.", LONGEST_EXAMPLE_REASON, least=1),
)
PRACTICE = _object(
    "A text of the practice item.",
    ("field", "text"),
    field=_text("Column of the item.", 120, least=1),
    text=_text("The text.", LONGEST_ITEM_TEXT, least=1),
)
FED_BY = _or_null(
    _object(
        "The earlier stage: this form receives the items that meet its condition; null for all items.",
        ("form", "criterion", "value"),
        form=_key("The earlier form."),
        criterion=_key("The deciding criterion of the earlier form."),
        value=_stored("The answer that admits an item.", 60),
        rule=_word(
            "How many of the raters of the earlier form must give this answer.",
            values(StageRule),
            StageRule.ALL.value,
        ),
        people=_word(
            "Raters of this form: all; those who did not rate the item before; those not in the earlier "
            "stage.",
            values(StagePeople),
            StagePeople.OTHERS.value,
        ),
        suggestions=_flag("Prefill the earlier answers, without names.", default=True),
        matches={
            "description": "Criterion of this form → earlier criterion that prefills it; by default the "
            "same name.",
            "type": "object",
            "additionalProperties": {"type": "string", "maxLength": 60},
            "maxProperties": MOST_CRITERIA,
            "default": {},
        },
    )
)
FORM = _object(
    "Criteria answered together on one page.",
    ("key", "title", "criteria"),
    key=_key("Short name in files."),
    title=_text("Name on pages.", LONGEST_TITLE, least=1),
    overlap=_whole("Ratings per item.", 1, MOST_PLANNED_RATINGS_PER_ITEM, 3),
    per_rater=_whole("Limit per rater, in items.", 1, MOST_ITEMS_PER_RATER, None),
    question=_text("Text above the criteria."),
    cannot_rate=_flag("Offer “Can’t rate: not enough context”.", default=True),
    blocks=_list("Item texts shown; none for all texts.", BLOCK, 50),
    criteria=_list("The criteria.", CRITERION, MOST_CRITERIA, least=1),
    examples=_list("Worked examples in the instructions.", EXAMPLE, MOST_EXAMPLES),
    practice=_list("Texts of the practice item; none for no practice item.", PRACTICE, 50),
    translations=translated_texts.FORM,
    fed_by=FED_BY,
    pairing=_or_null(PAIRING_SCHEMA),
)
QUESTION = _object(
    "A demographic question.",
    ("key", "text", "kind"),
    key=_key("Short name in files.", 40),
    text=_text("Question shown to raters.", LONGEST_QUESTION, least=1),
    kind=_word("Question type.", values(DemographicKind)),
    options=_list("Options of a single choice.", _text("An option.", LONGEST_ANSWER, least=1), MOST_OPTIONS),
    translations=translated_texts.QUESTION,
)
CHECK = _object(
    "An attention check: on the page of a form, or with its own question.",
    ("key", "kind"),
    key=_key("Short name.", 40),
    kind=_word("Kind of check.", values(CheckKind)),
    form=_text("Key of the form on whose page the check appears.", 60),
    question=_text("Own question, instead of a form.", 1000),
    options=_list("Options of its own question; none for free text.", _text("An option.", 60, least=1), 20),
    texts=TEXTS,
    original=_text("Twin: item ID of the original.", 120),
    settings={
        "description": "By kind: told; reference and tolerance; criteria and tolerance; accepted; right.",
        "type": "object",
        "default": {},
    },
    translations=translated_texts.CHECK,
)
CHECKS = _object(
    "Attention checks.",
    every=_whole("Approximate number of items between checks.", 2, MOST_ITEMS_BETWEEN_CHECKS, None),
    jitter=_whole("Maximum random shift, in items.", 0, MOST_CHECK_JITTER, 0),
    planted=_list("The checks, in order.", CHECK, MOST_PLANTED),
) | {"default": {}}
CALIBRATION = _object(
    "A calibration item.",
    ("form", "reference"),
    form=_text("Key of its form.", 60, least=1),
    item=_text("Item ID of an item of the study, instead of texts.", 120),
    texts=TEXTS,
    reference={
        "description": "Criterion → value.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"type": ["number", "string"], "maxLength": LONGEST_REFERENCE},
    },
    reason=_text("Reason for the reference values.", LONGEST_REFERENCE_REASON),
    translations=translated_texts.REASON,
)
PAGE = _object(
    "A background page, shown before the calibration items.",
    ("title", "text"),
    title=_text("Heading.", LONGEST_TITLE, least=1),
    text=_text("The text.", least=1),
    translations=translated_texts.PAGE,
)
QUALIFICATION = _or_null(
    _object(
        "The qualification before the main task; null for none.",
        ("rule",),
        rule=_word("Qualification rule.", values(RuleKind)),
        tolerance=_number("Rule near: maximum distance from the reference value.", 0, MOST_TOLERANCE),
        share=_number("Rule near: minimum share within the tolerance.", 0, 1),
        least=_number("Rule rank: minimum rank correlation.", -1, 1),
        attempts=_whole("Maximum number of attempts; null for no limit.", 1, 1000, None),
        feedback=_flag("Show the reference value after each answer.", default=True),
        items_per_attempt=_whole("Items per attempt; null for all.", 1, MOST_PLANTED, None),
        pages=_list("Background pages.", PAGE, 100),
        items=_list("Calibration items.", CALIBRATION, MOST_PLANTED),
    )
)
PAY = _or_null(
    _object(
        "Pay of raters; null if not set.",
        ("currency", "amount"),
        currency=_text("Three capital letters.", 3, least=3, pattern=f"^{CURRENCY}$"),
        paid_for=_word("Payment unit.", values(PayFor), PayFor.PAGE.value),
        amount=_text('Pay rate as text, to keep it exact: "0.25".', 12, least=1, pattern=AMOUNT),
        floor=_or_null(_text("Minimum hourly rate.", 12, least=1, pattern=AMOUNT)),
        page_seconds=_number("Expected seconds per page.", 1, LONGEST_PAGE_SECONDS),
        shown=_flag("Show pay and time to raters before they start."),
    )
)
SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Groundwork study definition",
    **_object(
        "A study without its items and people.",
        ("format", "version", "study"),
        format={"description": "Format of the document.", "const": FORMAT},
        version={"description": "Version of this schema.", "const": VERSION},
        study=STUDY,
        serving=SERVING,
        forms=_list("Forms, in order.", FORM, MOST_FORMS),
        demographics=_list("Demographic questions.", QUESTION, MOST_QUESTIONS),
        checks=CHECKS,
        qualification=QUALIFICATION,
        pay=PAY,
    ),
}
