"""The checklist before a study opens: setup problems, and questions that reviewers ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.sheet.questions import ASKED_FIRST
from annotation.domain.base.states import DesignKind, Purpose
from annotation.domain.pay.wages import PayFor
from annotation.io.items.guessed_columns import ITEMS_PER_TEXT
from annotation.models import Criterion, EvaluationSheet, FormVersion, Pay, Response, ScalePoint, Study
from annotation.selectors.base.item_search import representative_fields, text_of
from annotation.selectors.items.media import media_gaps
from annotation.selectors.items.of_study import waiting_item_files
from annotation.selectors.pay.workload_preview import preview_of
from annotation.selectors.quality.checks.texts import checks_without_text
from annotation.selectors.quality.setup_warnings import find_setup_warnings
from annotation.selectors.questions.form_versions import form_versions, required_texts
from annotation.selectors.questions.shown_options import OF_OPTIONS
from config.formats.enumeration import joined

OK, OPEN, STOPS, NOTE = "ok", "open", "stops", "note"
# More items are not compared on a page.
MOST_COMPARED = 25_000
MOST_NAMED = 3


@dataclass(frozen=True)
class Point:
    """One point of the list: `state` is `OK`, `OPEN`, `STOPS` if the study cannot open, or `NOTE`.

    `page` is the URL name of the page on which to change it, for the item `key` if it is the page of one;
    `link` is the label of the link.
    """

    state: str
    head: str
    words: str
    page: str
    link: str
    key: str = ""


def points_for_raters(study: Study) -> list[Point]:
    """The points about the setup for raters, in the order of the setup."""
    versions = form_versions(study=study)
    found = [_items(study), *_missing_texts(study), *_media(study), *_same_texts(study)]
    found += [*_shared_texts(study, versions), _forms(versions)]
    if found[0].state != STOPS and versions:
        found.append(_serving(study))
    return [*found, _checks(study), *_consent(study), _tried(study), *_link(study)]


def points_for_reviewers(study: Study, *, with_pay: bool) -> list[Point]:
    """The points that reviewers of a paper ask about.

    Parameters
    ----------
    study : Study
        The study.
    with_pay : bool
        Whether the member may see the pay settings.
    """
    found = [*_precision(study), _rule(study), _sheet(study)]
    if study.items.exclude(system="").exists():
        words = _("No. The system is saved with the item but never shown to raters.")
        found.append(Point(OK, _("Do raters see the systems?"), words, "study-items", _("Show items")))
    return [*found, _pay(study)] if with_pay else found


def _items(study: Study) -> Point:
    number = study.items.count()
    if not number:
        words = (
            _("Choose the contents of the columns of your file to continue the import.")
            if waiting_item_files(study).exists()
            else _("Import items from a file.")
        )
        return Point(STOPS, _("No items"), words, "study-import", _("Import items"))
    parts = [ngettext("%(n)d item", "%(n)d items", number) % {"n": number}]
    groups = study.items.exclude(group="").values("group").distinct().count()
    systems = study.items.exclude(system="").values("system").distinct().count()
    if groups:
        parts.append(ngettext("%(n)d group", "%(n)d groups", groups) % {"n": groups})
    if systems:
        parts.append(ngettext("%(n)d system", "%(n)d systems", systems) % {"n": systems})
    return Point(
        OK, _("Items"), _("%(sentence)s.") % {"sentence": joined(parts)}, "study-items", _("Show items")
    )


def _missing_texts(study: Study) -> Iterator[Point]:
    texts = study.items.order_by("position").values_list("key", "fields")[:MOST_COMPARED]
    lacking = {name: [key for key, fields in texts if not fields.get(name)] for name in required_texts(study)}
    for name, keys in lacking.items():
        if keys:
            sentence = ngettext(
                "%(n)d item lacks the text “%(name)s”, which the form shows: %(keys)s.",
                "%(n)d items lack the text “%(name)s”, which the form shows: %(keys)s.",
                len(keys),
            )
            words = sentence % {"n": len(keys), "name": name, "keys": _named(keys)}
            link = _("Enter text or delete item: %(key)s") % {"key": keys[0]}
            yield Point(STOPS, _("Missing texts"), words, "study-item", link, keys[0])


def _media(study: Study) -> Iterator[Point]:
    gaps = media_gaps(study)
    sentences = (
        (gaps.missing, _("Items name files that the study does not have: %(names)s.")),
        (gaps.other_kind, _("Of another kind than the form shows: %(names)s.")),
        (gaps.wordless, _("Without a description or transcript: %(names)s.")),
    )
    for names, sentence in sentences:
        if names:
            words = sentence % {"names": _named(names)}
            yield Point(STOPS, _("Media files"), words, "study-media", _("Show media files"))
    if not gaps and (number := study.media_files.count()):
        words = ngettext("%(n)d file.", "%(n)d files.", number)
        yield Point(OK, _("Media files"), words % {"n": number}, "study-media", _("Show media files"))


def _same_texts(study: Study) -> Iterator[Point]:
    fields = representative_fields(study)
    first: dict[str, str] = {}
    pairs = []
    for item in study.items.order_by("position")[:MOST_COMPARED]:
        text = text_of(item, fields).strip()
        if text and first.setdefault(text, item.key) != item.key:
            pairs.append(f"{first[text]} – {item.key}")
    if pairs:
        words = _("Raters may see the same text twice: %(pairs)s.") % {"pairs": _named(pairs)}
        yield Point(OPEN, _("Items with the same text"), words, "study-items", _("Show items"))


def _shared_texts(study: Study, versions: list[FormVersion]) -> Iterator[Point]:
    """Items without groups of which many share a text, such as the literal sentence of several similes."""
    if study.items.exclude(group="").exists():
        return
    texts = list(study.items.order_by("position").values_list("fields", flat=True)[:MOST_COMPARED])
    context = (
        block["field"]
        for one in versions
        for block in one.blocks
        if block.get("role", "figure") not in ("figure", *OF_OPTIONS)
    )
    for name in dict.fromkeys(context):
        filled = [fields[name] for fields in texts if fields.get(name)]
        distinct = len(set(filled))
        if distinct > 1 and len(filled) >= ITEMS_PER_TEXT * distinct:
            words = _(
                "%(items)d items share %(texts)d different texts “%(name)s” but have no groups. A rater may "
                "get items with the same text one after another. Import the file again with groups."
            )
            given = {"items": len(filled), "texts": distinct, "name": name}
            yield Point(OPEN, _("Groups"), words % given, "study-import", _("Import groups"))
            return


def _forms(versions: list[FormVersion]) -> Point:
    if not versions:
        words = _("A form defines what raters answer for each item.")
        return Point(STOPS, _("No forms"), words, "study-form-new", _("Add form"))
    worded = [
        (criterion.name, points)
        for version in versions
        for criterion in version.criteria.all()
        if (points := _points_of_form(version, criterion))
    ]
    unnamed = [
        name for name, points in worded if len(points) > 1 and not (points[0].label and points[-1].label)
    ]
    if unnamed:
        words = _("The lowest or highest point has no label: %(names)s.") % {"names": _named(unnamed)}
        return Point(OPEN, _("Scales without labels"), words, "study-forms", _("Change form"))
    number = sum(len(version.criteria.all()) for version in versions)
    words = ngettext("%(n)d criterion.", "%(n)d criteria.", number) % {"n": number}
    if worded:
        labelled = _("The lowest and the highest point of each scale have labels.")
        words = f"{words} {labelled}"
    unasked = [
        criterion.name
        for version in versions
        for criterion in version.criteria.all()
        if not (criterion.question.strip() or version.question.strip())
    ]
    if unasked:
        hint = _("Without a question, so that raters see the name alone: %(names)s.")
        return Point(
            NOTE, _("Form"), f"{words} {hint % {'names': _named(unasked)}}", "study-forms", _("Change form")
        )
    return Point(OK, _("Form"), words, "study-forms", _("Change form"))


def _points_of_form(version: FormVersion, criterion: Criterion) -> list[ScalePoint]:
    """The points that the form labels; none if the options are texts of the item."""
    if any(block.get("of") == criterion.key for block in version.blocks):
        return []
    return list(criterion.points.all())


def _serving(study: Study) -> Point:
    head, link = _("Workload"), _("Change settings")
    try:
        planned = preview_of(study).plan
    except GroundworkError as refusal:
        return Point(STOPS, head, refusal.message, "study-texts", link)
    sentence = ngettext(
        "%(slots)s rating slots. You need at least %(n)d rater.",
        "%(slots)s rating slots. You need at least %(n)d raters.",
        planned.raters_needed.raters,
    )
    words = sentence % {"slots": f"{planned.seats:,}", "n": planned.raters_needed.raters}
    return Point(OK, head, words, "study-texts", link)


def _checks(study: Study) -> Point:
    head, link = _("Attention checks"), _("Add checks")
    number = study.checks.count()
    if not number:
        words = _("None. Only response times and agreement will show careless responding.")
        return Point(OPEN, head, words, "study-checks", link)
    words = ngettext("%(n)d check.", "%(n)d checks.", number) % {"n": number}
    one_a_batch = study.design == DesignKind.BATCHES and study.batch_size
    if study.check_every is None and not one_a_batch:
        words = _("The checks never appear. Set how often they appear under “Basic settings”.")
        return Point(STOPS, head, words, "study-texts", _("Change settings"))
    if empty := checks_without_text(study):
        words = _("Without a text: %(names)s. Raters could only guess the answer.") % {"names": _named(empty)}
        return Point(STOPS, head, words, "study-checks", _("Change checks"))
    return Point(OK, head, words, "study-checks", _("Change checks"))


def _consent(study: Study) -> Iterator[Point]:
    """Consent form, contact, and other missing texts for raters."""
    for one in find_setup_warnings(study):
        yield Point(OPEN, _("Texts for raters"), one.words, one.page, one.link)
    if study.consent.strip() and study.contact:
        words = _("The consent form is complete. The contact for raters is %(name)s.") % {
            "name": study.contact
        }
        yield Point(OK, _("Consent and contact"), words, "study-texts", _("Change settings"))


def _tried(study: Study) -> Point:
    tried = Response.objects.filter(assignment__rater__study=study, assignment__purpose=Purpose.TRIAL)
    number = tried.count()
    head = _("Preview")
    if not number:
        words = _("Not yet. Rate some items yourself. Your answers are not counted.")
        return Point(OPEN, head, words, "rate", _("Preview the task"))
    words = ngettext("%(n)d item rated.", "%(n)d items rated.", number) % {"n": number}
    return Point(OK, head, words, "rate", _("Preview the task again"))


def _link(study: Study) -> Iterator[Point]:
    """The link that raters get when the study opens; in panels, each link belongs to a form."""
    if study.design == DesignKind.PANELS:
        return
    head = _("Invitation link")
    number = study.invitations.filter(rater=None, revoked_at=None).count()
    if number:
        words = ngettext("%(n)d link.", "%(n)d links.", number) % {"n": number}
        yield Point(OK, head, words, "study-links", _("Show links"))
        return
    words = _(
        "Opening the study creates a link for anyone. For raters from Prolific, Mechanical Turk or another "
        "platform, create a link first."
    )
    yield Point(NOTE, head, words, "study-links", _("Create a platform link"))


def _precision(study: Study) -> Iterator[Point]:
    """The number of ratings per item; nothing if the study has no form."""
    head, link = _("How many ratings are enough?"), _("Open planner")
    for least in sorted(study.forms.values_list("overlap", flat=True))[:1]:
        if least < 2:
            words = _("Each item gets one rating, so agreement cannot be computed.")
            yield Point(OPEN, head, words, "study-planner", link)
        else:
            words = _("Each item gets %(n)d ratings. Plan the precision with a pilot or an earlier study.")
            yield Point(NOTE, head, words % {"n": least}, "study-planner", link)


def _rule(study: Study) -> Point:
    head = _("Was the exclusion rule declared before data collection?")
    if study.exclusion_rules.exists():
        return Point(OK, head, _("Yes. It is saved with its date."), "study-rules", _("Show rules"))
    words = _("No rule yet. If you add one later, report that it was declared after data collection started.")
    return Point(OPEN, head, words, "study-rules", _("Declare rule"))


def _sheet(study: Study) -> Point:
    """Questions of the human evaluation sheet that only members can answer, and reviewers ask first."""
    head, link = _("Who rates, and who approved it?"), _("Answer questions")
    stored = EvaluationSheet.objects.filter(study=study).values_list("answers", flat=True).first() or {}
    number = sum(key not in stored for key in ASKED_FIRST)
    if number:
        sentence = ngettext(
            "%(n)d question of the human evaluation sheet is open, such as recruitment and ethics review.",
            "%(n)d questions of the human evaluation sheet are open, such as recruitment and ethics review.",
            number,
        )
        return Point(OPEN, head, sentence % {"n": number}, "study-sheet", link)
    return Point(OK, head, _("Answered in the human evaluation sheet."), "study-sheet", link)


def _pay(study: Study) -> Point:
    head = _("What are raters paid?")
    pay = Pay.objects.filter(study=study).first()
    if pay is None:
        words = _("Not set. Papers report the pay, or that raters are volunteers.")
        return Point(OPEN, head, words, "study-pay", _("Set pay"))
    sentences = {
        PayFor.PAGE: _("%(amount)s %(currency)s per page."),
        PayFor.SITTING: _("%(amount)s %(currency)s per session."),
        PayFor.RATER: _("%(amount)s %(currency)s for the whole study."),
    }
    amount = {"amount": f"{pay.amount.normalize():f}", "currency": pay.currency}
    words = sentences[PayFor(pay.paid_for)] % amount
    return Point(OK, head, words, "study-pay", _("Change pay"))


def _named(names: list[str]) -> str:
    more = "" if len(names) <= MOST_NAMED else " …"
    return joined(names[:MOST_NAMED]) + more
