"""Words for entries of the audit log and for jobs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.html import conditional_escape, escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.log.details import DETAILS, SHOWN_IF_NONE
from annotation.domain.base.messages import Message, message
from annotation.domain.base.states import JobState
from annotation.domain.pay.payment_states import PAYMENT_STATES, PaymentKind
from annotation.domain.quality.checks import CheckKind
from annotation.models import AuditEntry
from annotation.selectors.questions.text_languages import own_name
from annotation.templatetags.adjudication_words import rule_words
from annotation.templatetags.check_words import check_kind
from annotation.templatetags.pay_words import payment_kind, payment_state, payment_unit
from annotation.templatetags.profile_words import indicator_title
from annotation.templatetags.rater_words import named, role_name, study_state
from config.formats.enumeration import between_clauses, between_names

register = template.Library()
LESS_THAN_A_MINUTE, IN_MINUTES = 45, 5400
STORED_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
# What is in the log as `change_state`; exports and the API have that code.
ACTS: Mapping[str, Message] = {
    "add_account": message("Account added"),
    "add_calibration_item": message("Calibration item added"),
    "add_form": message("Form added"),
    "add_webhook": message("Webhook added"),
    "set_judge_key": message("Key of the chat endpoint set"),
    "remove_judge_key": message("Key of the chat endpoint removed"),
    "allow_judge_texts": message("Texts of items may be sent to a judge"),
    "connect_prolific": message("Connected to Prolific"),
    "disconnect_prolific": message("Prolific token removed"),
    "discard_prolific_draft": message("Draft not found on Prolific, and forgotten"),
    "find_prolific_draft": message("Draft found on Prolific"),
    "draft_on_prolific": message("Study drafted on Prolific"),
    "forbid_judge_texts": message("Texts of items may no longer be sent to a judge"),
    "link_prolific_study": message("Study on Prolific linked"),
    "run_judge": message("Answers of a judge completed"),
    "unlink_prolific_study": message("Study on Prolific separated"),
    "raise_prolific_places": message("Places on Prolific raised"),
    "decide_submissions": message("Submissions on Prolific decided"),
    "connect_mturk": message("Connected to Mechanical Turk"),
    "disconnect_mturk": message("Access key for Mechanical Turk removed"),
    "discard_mturk_draft": message("HIT not found on Mechanical Turk, and forgotten"),
    "find_mturk_draft": message("HIT found on Mechanical Turk"),
    "draft_on_mturk": message("Creation of a HIT on Mechanical Turk requested"),
    "link_mturk_study": message("HIT on Mechanical Turk linked"),
    "unlink_mturk_study": message("HIT on Mechanical Turk separated"),
    "raise_mturk_places": message("Assignments on Mechanical Turk raised"),
    "decide_assignments": message("Assignments on Mechanical Turk decided"),
    "read_back_payments": message("Payments read back"),
    "adjudicate": message("Case decided"),
    "apply_rule": message("Exclusion rule applied"),
    "approve_payments": message("Payments approved"),
    "approve_qualification": message("Qualification approved"),
    "begin_main_study": message("Main study created from this pilot"),
    "cancel_deletion": message("Deletion of the study cancelled"),
    "cancel_study_deletion": message("Deletion of a study cancelled"),
    "add_judge": message("Judge added"),
    "add_media": message("Media files added"),
    "change_check": message("Check changed"),
    "change_consent": message("Consent form changed"),
    "change_evaluation_sheet": message("Human evaluation sheet changed"),
    "change_form": message("Form changed"),
    "ask_second_opinion": message("Second opinion requested"),
    "assign_cases": message("Cases assigned"),
    "allow_messages": message("Messages allowed again by a rater"),
    "change_invitation": message("Invitation link changed"),
    "change_payment": message("State of a payment changed"),
    "change_payments": message("State of payments changed"),
    "change_state": message("State of the study changed"),
    "change_texts": message("Texts of the open study changed"),
    "collect_replacement": message("Replacement rating slots added"),
    "copy_study": message("Study copied"),
    "correct_components": message("Components corrected"),
    "delete_item": message("Item deleted"),
    "enter_texts": message("Missing texts of an item entered"),
    "correct_item": message("Metadata of an item corrected"),
    "create_check": message("Check added"),
    "create_main_study": message("Created as the main study of a pilot"),
    "create_share_link": message("Share link created"),
    "create_study": message("Study created"),
    "deactivate_account": message("Account deactivated"),
    "declare_directions": message("Directions of metrics set"),
    "declare_rule": message("Exclusion rule declared"),
    "decline_qualification": message("Qualification declined"),
    "delete_account": message("Account deleted"),
    "delete_background_page": message("Background page deleted"),
    "delete_calibration_item": message("Calibration item deleted"),
    "delete_check": message("Check deleted"),
    "change_judge_model": message("Model of judge changed"),
    "delete_judge": message("Judge deleted"),
    "delete_study": message("Study deleted"),
    "discuss_case": message("Case discussed"),
    "download": message("Data downloaded"),
    "draw_pairs": message("Pairs drawn"),
    "draw_sets": message("Sets drawn"),
    "edit_study": message("Study settings changed"),
    "end_sign_ins": message("Sign-ins ended"),
    "enter_payment": message("Outside payment entered"),
    "erase_expired": message("Expired data erased"),
    "erase_expired_failed": message("Erasing expired data failed"),
    "erase_rater": message("Rater’s data erased"),
    "exclude_items": message("Items excluded"),
    "exclude_rater": message("Rater excluded"),
    "keep_rater": message("Rater reviewed and kept"),
    "list_rater_again": message("Rater with flags listed again"),
    "exclude_response": message("Response excluded"),
    "export_bonuses": message("Bonus list downloaded"),
    "export_bundle": message("Data bundle created"),
    "export_contacts": message("Email addresses downloaded"),
    "export_payments": message("Payment list downloaded"),
    "export_personal_data": message("Rater’s data downloaded"),
    "export_platform_ids": message("Platform IDs downloaded"),
    "forget_correction": message("Correction of components removed"),
    "give_site_administrator_role": message("Site administrator role given"),
    "grant_bonus": message("Bonus added"),
    "hide_calibration_notes": message("Notes on calibration items hidden"),
    "import_definition": message("Study definition imported"),
    "import_items": message("Items imported"),
    "import_payment_results": message("Payment results imported"),
    "import_probing": message("Probing items imported"),
    "import_ratings": message("Ratings imported"),
    "import_scores": message("Scores imported"),
    "import_tuples": message("Tuples imported"),
    "invite": message("Invitation link created"),
    "invite_account": message("Account invited"),
    "invite_list": message("Personal links created"),
    "keep_payment_totals": message("Payment totals of a deleted study"),
    "give_second_opinion": message("Second opinion given"),
    "lift_exclusion": message("Exclusion lifted"),
    "lift_rule": message("Exclusion rule lifted"),
    "link_institution": message("Institution linked to an account"),
    "look_for_disputes": message("Search for cases to adjudicate"),
    "make_password_link": message("Password link created"),
    "make_payment_list": message("Payment list created"),
    "make_release": message("Data released"),
    "upload_release": message("Release uploaded to the data hub"),
    "move_form": message("Form moved"),
    "pause_invitation": message("Invitation link paused"),
    "pool_pilot": message("Responses of the pilot pooled with those of this study"),
    "pool_versions": message("Form versions pooled"),
    "pooled_in_main": message("Responses pooled with those of a main study"),
    "put_case_back": message("Case returned to the queue"),
    "raise_caps": message("Limits per rater raised"),
    "raise_overlap": message("Ratings per item raised"),
    "reactivate_account": message("Account reactivated"),
    "release_calibration_notes": message("Notes on calibration items shown"),
    "release_slots": message("Reserved rating slots released"),
    "remove_form": message("Form removed"),
    "remove_member": message("Study member removed"),
    "remove_qualification": message("Qualification removed"),
    "remove_second_factor": message("Second factor removed"),
    "remove_site_administrator_role": message("Site administrator role removed"),
    "remove_webhook": message("Webhook removed"),
    "replace_invitation": message("Invitation link replaced"),
    "replace_webhook_secret": message("Webhook secret replaced"),
    "request_deletion": message("Deletion of the study requested"),
    "request_study_deletion": message("Deletion of a study requested"),
    "resolve_problem": message("Problem report resolved"),
    "remove_items": message("Items removed"),
    "remove_media": message("Media file removed"),
    "restore_items": message("Items restored"),
    "resume_invitation": message("Invitation link resumed"),
    "retire_items": message("Items retired"),
    "revoke_invitation": message("Invitation link revoked"),
    "revoke_share_link": message("Share link revoked"),
    "send_message": message("Message to raters created"),
    "send_message_again": message("Emails of a message sent again"),
    "send_payments": message("Payments sent"),
    "send_to_adjudication": message("Items sent to adjudication"),
    "separate_versions": message("Form versions separated"),
    "set_adjudication": message("Adjudication settings changed"),
    "set_budget": message("Budget changed"),
    "set_contact": message("Contact changed"),
    "set_demographic_questions": message("Demographic questions changed"),
    "set_feed": message("Stage changed"),
    "set_last_seat_minutes": message("Reservation time of the last items changed"),
    "set_pairing": message("Choice of pairs changed"),
    "stop_pairs": message("Adaptive pairs ended"),
    "set_pay": message("Pay rate changed"),
    "separate_pilot": message("Responses of the pilot no longer pooled"),
    "separated_from_main": message("Responses no longer pooled with those of a main study"),
    "lose_pilot": message("Pilot deleted; its raters can join"),
    "set_pilot_raters": message("Raters of the pilot refused or admitted"),
    "set_qualification": message("Qualification changed"),
    "set_retention": message("Retention changed"),
    "set_role": message("Role changed"),
    "set_serving": message("Assignment of items changed"),
    "simulate": message("Simulated raters joined"),
    "stop_messages": message("Messages stopped by a rater"),
    "translate_check": message("Check translated"),
    "translate_reason": message("Note on a calibration item translated"),
    "translate_texts": message("Texts translated"),
    "unlink_institution": message("Institution unlinked from an account"),
    "withdraw": message("Rater withdrew"),
    "withdraw_case": message("Case removed from the queue"),
    "write_background_page": message("Background page saved"),
    "write_calibration_note": message("Note on a calibration item saved"),
}


def kind_words(code: str) -> str:
    """The name of a kind of payment or of attention check; other codes are spelled out."""
    if code in set(PaymentKind):
        return payment_kind(code)
    return check_kind(code) if code in set(CheckKind) else spelled_out(code)


# Codes that are replaced by words wherever they occur under a detail of that name
CODES: Mapping[str, Callable[[str], str]] = {
    "after": study_state,
    "before": study_state,
    "role": role_name,
    "rule": rule_words,
    "language": own_name,
    "flags": indicator_title,
    "kind": kind_words,
    "paid_for": payment_unit,
    "state": lambda code: payment_state(code) if code in PAYMENT_STATES else code,
}
# Details that are themselves named by codes.
NAMED_BY: Mapping[str, Callable[[str], str]] = {"figures": indicator_title}


@register.filter
def act_words(act: str) -> str:
    """`change_state` → “State of the study changed”; an act without words of its own is spelled out."""
    return named(ACTS, act) if act in ACTS else spelled_out(act)


def acts_named(part: str) -> list[str]:
    """The acts whose words in the language of the page contain a text; none for an empty one."""
    return [act for act in ACTS if part and part.casefold() in act_words(act).casefold()]


@register.filter
def spelled_out(code: str) -> str:
    """`per_rater` → “per rater”."""
    return code.replace("_", " ")


@register.filter
def actor_words(entry: AuditEntry) -> str:
    """Who acted: an account, a rater who withdrew, or the program."""
    if entry.actor is not None:
        return str(entry.actor)
    if entry.study_id is None:
        return _("Groundwork or a command-line user")
    return str(entry.detail.get("rater", "–")) if entry.act == "withdraw" else "–"


@register.filter
def job_words(kind: str) -> str:
    """The name of a kind of job."""
    words = {
        "metrics": _("Comparison of metrics and systems"),
        "comparison": _("Comparison of two metrics"),
        "judges": _("Comparison of judges with raters"),
        "mixed_model": _("Ordinal mixed model"),
        "power": _("Power of a planned study"),
        "generalisability": _("Generalisability"),
        "new_raters": _("Agreement for new raters"),
        "exclusion_preview": _("Preview of an exclusion rule"),
        "multiverse": _("Multiverse table"),
        "item_figures": _("Statistics of items and raters"),
        "reliability": _("Reliability"),
        "score": _("Scores"),
        "score_file": _("Scores for a file"),
        "corpus": _("Results by corpus size"),
        "judge": _("Answers of an automatic judge"),
        "bundle": _("Data bundle"),
        "release": _("Release"),
        "upload_release": _("Upload of a release"),
        "replication": _("Replication"),
        "adjudication": _("Search for cases to adjudicate"),
        "import_items": _("Item import"),
        "import_scores": _("Score import"),
        "read_upload": _("Reading an uploaded file"),
        "webhook": _("Webhook message"),
        "notices": _("Emails to members"),
        "rater_messages": _("Emails to raters"),
        "flag_search": _("Search for raters with flags"),
        "delete_study": _("Deletion of a study"),
        "nightly": _("Erasing expired data"),
        "send_payments": _("Sending of payments"),
        "crowd_submissions": _("Submissions on a crowd platform"),
        "crowd_study": _("Study on a crowd platform"),
    }
    return words.get(kind, spelled_out(kind).capitalize())


@register.filter
def job_state_words(state: str) -> str:
    """The name of a state of a job."""
    words = {
        JobState.QUEUED: _("queued"),
        JobState.RUNNING: _("running"),
        JobState.DONE: _("done"),
        JobState.FAILED: _("failed"),
        JobState.CANCELLED: _("stopped"),
    }
    return words[JobState(state)]


@register.filter
def left_words(seconds: int) -> str:
    """The estimated time left of a job."""
    if seconds < LESS_THAN_A_MINUTE:
        return _("less than a minute left")
    if seconds < IN_MINUTES:
        minutes = round(seconds / 60)
        return ngettext("about %(n)d minute left", "about %(n)d minutes left", minutes) % {"n": minutes}
    hours = round(seconds / 3600)
    return ngettext("about %(n)d hour left", "about %(n)d hours left", hours) % {"n": hours}


@register.filter
def detail_words(detail: Mapping[str, Any], inside: str = "") -> SafeString:
    """The details that are not empty, as `name: value` pairs; nested ones in brackets."""
    name_of = NAMED_BY.get(inside, detail_name)
    filled = {name: value for name, value in detail.items() if _has_content(name, value)}
    pair = escape(_("%(name)s: %(value)s"))
    pairs = (
        pair % {"name": escape(name_of(name)), "value": conditional_escape(_value(value, name))}
        for name, value in filled.items()
    )
    return mark_safe(escape(between_clauses()).join(pairs))  # noqa: S308 (escaped above)


def _has_content(name: str, value: Any) -> bool:
    """Whether a detail is not empty, or its absence is what was decided."""
    return value not in ("", None, [], {}) or (value is None and name in SHOWN_IF_NONE)


def detail_name(name: str) -> str:
    """`expires_at` → “Expires”; a name without words of its own is spelled out."""
    return named(DETAILS, name) if name in DETAILS else spelled_out(name)


def _value(value: Any, name: str = "") -> str:
    if isinstance(value, Mapping):
        return format_html("({})", detail_words(value, name))
    if isinstance(value, list):
        return format_html_join(between_names(), "{}", ((_value(one, name),) for one in value))
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str) and STORED_MOMENT.fullmatch(value):
        return date_format(datetime.fromisoformat(value).astimezone(UTC), "MOMENT_FORMAT")
    return CODES[name](value) if name in CODES and isinstance(value, str) else str(value)
