"""The columns of the tables that a study exports, in the order of the files, each in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Columns = Mapping[str, str]

RATINGS: Columns = {
    "study": "Short name of the study.",
    "item": "Key of the item.",
    "group": "Group of the item: candidates for the same literal sentence or prompt; empty for none.",
    "system": "What produced the item; empty for nothing.",
    "form": "Key of the form that was answered.",
    "form_version": "Number of the wording that was shown; forms.json has every wording.",
    "rater": "Pseudonym of the rater; `slot` stands in its place where it is unknown who gave which rating.",
    "criterion": "Key of the criterion.",
    "value": "Number on a Likert scale, key of the option, keys joined by |, or text; empty for can’t rate.",
    "cannot_rate": "Whether the rater said that the item cannot be rated; it is not a value.",
    "reason": "Why the item cannot be rated: a code.",
    "remark": "What the rater wrote beside the answer.",
    "revision": "Number of the answer's revision; the highest one is current.",
    "current": "Whether this is the current revision.",
    "late": "Whether the answer came after its seat had been given away; figures leave it out by default.",
    "simulated": "Whether the rater is simulated.",
    "submitted_at": "When the answer was saved; ISO 8601, UTC.",
    "seconds": "How long the page was open up to the submission, by the server's clock.",
    "excluded": "Whether a standing exclusion takes the rating out of the figures.",
    "exclusion_rule": "The rule of that exclusion.",
    "suggestion": "Whether an answer suggested by an earlier stage was accepted or changed; empty for none.",
    "interface_language": "Language of the buttons on the page that was answered; empty where unknown.",
    "text_language": "Language in which the criteria were shown on it; empty where unknown.",
}
SLOT = "Number of the rating of its item; the same slot of two items need not be the same person."

WIDE: Columns = {
    "item": RATINGS["item"],
    "group": RATINGS["group"],
    "system": RATINGS["system"],
    "form": RATINGS["form"],
    "form_version": RATINGS["form_version"],
    "criterion": RATINGS["criterion"],
    "n_ratings": "Ratings that count: not excluded, and not late unless the study counts late answers.",
    "n_cannot_rate": "Raters who said that the item cannot be rated, counted alike.",
    "mean": "Mean of the ratings that count; empty where the criterion is no Likert scale.",
}
OF_RATER = "Value that this rater gave, where it counts."

CHOICES: Columns = {
    **{
        name: RATINGS[name]
        for name in ("item", "group", "system", "form", "form_version", "rater", "criterion")
    },
    "value": "Key of the option, keys joined by |; empty for can’t rate.",
    "chosen": "What the chosen option said.",
    "shown": "Keys of the options in the order in which the rater saw them; empty where all saw the same.",
    "place": "Where the chosen option stood, from 1; empty where all saw the same order.",
    "key": "The right option, where the item has one.",
    **{name: RATINGS[name] for name in ("cannot_rate", "late", "simulated", "excluded")},
}

ITEMS: Columns = {
    "item": RATINGS["item"],
    "group": RATINGS["group"],
    "system": RATINGS["system"],
}
ITEM_TEXT = "Text of the item as it was shown under this name."
ITEM_METADATA = "What is known of the item; it was not shown."

CHECKS: Columns = {
    "study": RATINGS["study"],
    "rater": RATINGS["rater"],
    "check": "Key of the attention check.",
    "kind": "instructed, gold, repeat, twin, comprehension or knowledge.",
    "item": "Key of the planted item.",
    "position": "Place of the page in the rater's sequence.",
    "passed": "Verdict on the first answer; empty where nothing can be said.",
    "reason": "Code of what decided.",
    "chance": "Probability that somebody who does not read passes.",
    "answered_at": "When the first answer was saved; ISO 8601, UTC.",
    "seconds": RATINGS["seconds"],
    "detail": "What was expected and what was given; JSON.",
}

QUALIFICATION: Columns = {
    "study": RATINGS["study"],
    "rater": RATINGS["rater"],
    "attempt": "Number of the rater's attempt to qualify, from 1.",
    "item": "Key of the calibration item.",
    "form": RATINGS["form"],
    "criterion": RATINGS["criterion"],
    "given": "Number or option that the rater gave; empty for can’t rate.",
    "reference": "Reference value of the calibration item: a number or an option.",
    "difference": "Given minus reference; empty where one of them is not a number.",
    "cannot_rate": RATINGS["cannot_rate"],
    "counts": "Whether the attempt was judged by this revision: the first one if the rater saw the "
    "reference after each answer, else the current one.",
    "revision": RATINGS["revision"],
    "answered_at": "When the answer was saved; ISO 8601, UTC.",
    "seconds": RATINGS["seconds"],
    "passed": "Whether the attempt was passed; empty while it goes on or waits for approval.",
    "reason": "Why the attempt was passed or not: a code.",
    "figure": "Share within the tolerance, or correlation, that was reached; empty where there is none.",
    "threshold": "What it had to reach; empty where there is none.",
    "decision": "What the member who decided wrote, where a member decides.",
    "detail": "Counts and correlations behind the result; JSON.",
}

PROBLEMS: Columns = {
    "study": RATINGS["study"],
    "item": RATINGS["item"],
    "form": "Key of the form of the page on which the problem was reported.",
    "rater": "Pseudonym of the rater who reported it.",
    "purpose": "What the page was for: main, qualification or check.",
    "reason": "What the rater reported: a code; `comment` is no problem.",
    "text": "The rater's own words.",
    "reported_at": "When; ISO 8601, UTC.",
    "resolved_at": "When a member marked it as resolved; empty where none has.",
}

RATERS: Columns = {
    "study": RATINGS["study"],
    "rater": RATINGS["rater"],
    "state": "How far the rater came: invited, consented, active, finished, withdrawn and so on.",
    "simulated": RATINGS["simulated"],
    "excluded": "Whether a standing exclusion takes all of the rater's answers out of the figures.",
    "n_answered": "Items and forms the rater has answered.",
    "consent_version": "Number of the consent text the rater agreed to last.",
    "consented_at": "When they did; ISO 8601, UTC.",
    "consent_language": "Language of the page on which they read it; empty where unknown.",
    "consent_text_language": "Language in which they read the consent text itself; empty where unknown.",
    "finished_at": "When they were done; ISO 8601, UTC.",
    "outcome": "How the rater's part ended: finished, screened_out, failed_checks, or no_consent after a "
    "withdrawal; empty while it has not. Of people who did not agree nothing is stored.",
}

PROFILES: Columns = {
    "rater": RATINGS["rater"],
    "n_pages": "Pages the rater has answered.",
    "indicator": "Sign of careless answering; a sign excludes nobody.",
    "value": "The figure; empty where there is none.",
    "threshold": "Where it is flagged.",
    "flagged": "Whether it is; empty where nothing can be said.",
    "reason": "Why nothing can be said: a code.",
}

SCORES: Columns = {
    "item": RATINGS["item"],
    "metric": "Name of the metric.",
    "value": "The score; empty where there is none.",
    "run": "Scores that were computed or imported together.",
    "profile": "Which models the run used, or `imported`.",
    "reason": "Why there is no score: a code.",
    "truncated": "True where the score rests on a text of which a model saw only the beginning.",
    "caution": "What must be said beside these scores.",
}

EXCLUSIONS: Columns = {
    "target": "item, rater or response.",
    "item": "Key of the item that is, or whose response is, excluded.",
    "form": "Form of an excluded response.",
    "rater": "Pseudonym of the rater who is, or whose response is, excluded.",
    "rule": "Name of the rule, `by_hand` for a decision about this one.",
    "reason": "Why, in words.",
    "author": "Pseudonym of the member who decided.",
    "excluded_at": "When; ISO 8601, UTC.",
    "lifted_at": "When it was lifted again; empty where it stands.",
    "lift_reason": "Why it was lifted.",
    "lifted_by": "Pseudonym of the member who lifted it.",
}

RULES: Columns = {
    "study": RATINGS["study"],
    "rule": "Key of the exclusion rule, as in `exclusions`.",
    "name": "Name of the rule.",
    "leaves_out": "What it excludes, in words.",
    "conditions": "Its conditions; JSON.",
    "reason": "Why it was declared, in words.",
    "before_opening": "Whether it was declared before the study was opened.",
    "declared_at": "When; ISO 8601, UTC.",
}

ADJUDICATED: Columns = {
    "study": RATINGS["study"],
    "item": RATINGS["item"],
    "group": RATINGS["group"],
    "system": RATINGS["system"],
    "form": "Key of the form by which the item was decided.",
    "form_version": "Number of the wording by which it was decided; forms.json has every wording.",
    "criterion": RATINGS["criterion"],
    "value": "Final answer, as a rating would hold it; empty where it cannot be rated.",
    "cannot_rate": "Whether the decision is that the item cannot be rated.",
    "reason": RATINGS["reason"],
    "note": "What whoever decided wrote beside it.",
    "revision": "Number of the decision; earlier ones are kept, and not exported.",
    "rule": "What brought the criterion up, several joined by |; empty where it was not in dispute.",
    "chosen_from": "Pseudonym of the rater whose answer was chosen; written where nobody's was, "
    "erased where that rater's answers have been erased since.",
    "n_answers": "Answers to the criterion, beside which the final one stands; excluded ones left out.",
    "same_as": "Pseudonyms of the raters who gave the final answer, joined by |. Computed after "
    "adjudication: it is no agreement between raters.",
    "decided_by": "Who decided, by role and number.",
    "decided_at": "When; ISO 8601, UTC.",
}
ADJUDICATED_TUPLES: Columns = {
    "item": RATINGS["item"],
    "tuple": "Number of the tuple.",
    "part": "Tenor, vehicle, ground, or another part that the form asks for.",
    "start": "Where the span begins, in Unicode code points of the item's text, from 0; empty where the "
    "wording is not located.",
    "end": "Where it ends, exclusive.",
    "text": "The wording.",
    "form": ADJUDICATED["form"],
    "form_version": ADJUDICATED["form_version"],
    "criterion": RATINGS["criterion"],
    "rule": ADJUDICATED["rule"],
    "chosen_from": ADJUDICATED["chosen_from"],
    "decided_at": ADJUDICATED["decided_at"],
}

DISCUSSION: Columns = {
    "study": RATINGS["study"],
    "item": RATINGS["item"],
    "form": "Key of the form by which the item is to be decided.",
    "kind": "comment; withdrawn where the item was taken off the queue; put_back where it was put back.",
    "text": "The comment, or why the item was taken off the queue.",
    "author": "Who, by role and number, as in `adjudicated`.",
    "at": "When; ISO 8601, UTC.",
    "state": "How it stands with the item now: open, discussed, decided or withdrawn.",
}

AUDIT: Columns = {
    "at": "When; ISO 8601, UTC.",
    "actor": "Pseudonym of the member or rater; `system` for nobody.",
    "act": "What was done.",
    "detail": "What it was done to; JSON, without names and addresses.",
}

CODEBOOK: Columns = {
    "file": "Name of the file, without its ending where it stands in several formats.",
    "column": "Name of the column.",
    "position": "Its place in the file, from 1.",
    "description": "What it holds.",
}


def describe_columns(columns: Iterable[str], known: Columns, others: str) -> dict[str, str]:
    """The columns of one file with their descriptions; `others` describes columns of the study itself."""
    return {name: known.get(name, others) for name in columns}
