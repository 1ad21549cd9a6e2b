"""Descriptions of the columns of exported tables, in the order of the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Columns = Mapping[str, str]

RATINGS: Columns = {
    "study": "Short name of the study in which the response was given: of the pilot for a response that is "
    "pooled with those of its main study.",
    "item": "Item ID.",
    "group": "Group of the item: candidates for the same literal sentence or prompt; empty if there is none.",
    "system": "System that produced the item; empty if there is none.",
    "form": "Key of the form.",
    "form_version": "Number of the form version that the rater saw; forms.json has all versions.",
    "rater": "Rater code; replaced by `slot` if it is unknown who gave which rating.",
    "criterion": "Key of the criterion.",
    "value": "Number, key of the option, keys joined by |, an order, or text; empty for “can’t rate”.",
    "cannot_rate": "Whether the rater chose “can’t rate”, which is not a value.",
    "reason": "Code of the reason why the item cannot be rated.",
    "remark": "Comment of the rater on the response.",
    "revision": "Number of the revision of the response; the highest one is current.",
    "current": "Whether this is the current revision.",
    "late": "Whether the response was saved after its reservation ended; excluded from statistics by "
    "default.",
    "simulated": "Whether the rater is simulated.",
    "submitted_at": "Time at which the response was saved; ISO 8601, UTC.",
    "seconds": "Seconds from showing the page to submission, by the server's clock.",
    "excluded": "Whether an active exclusion leaves the rating out of statistics.",
    "exclusion_rule": "Rule of that exclusion.",
    "suggestion": "Whether an answer suggested by an earlier stage was accepted or changed; empty if "
    "there was none.",
    "interface_language": "Language of the interface on the rating page; empty if unknown.",
    "text_language": "Language of the criteria on that page; empty if unknown.",
    "form_correction": "Correction of that form version that the rater saw; 0 for the version itself.",
    "pooled_version": "First of the form versions that statistics pool with it, such as 2 or 2.1; the "
    "version itself if there is no earlier one.",
    "first_value": "Number at which the rater first placed the mark of a slider, before any change; empty if "
    "unknown or if the question is no slider.",
    "heard": "How the rater came to the end of each recording or video, by column of the item; JSON with "
    "`played` (every second), `stated` (without scripts) or `read` (the transcript); empty for none.",
}
SLOT = "Number of the rating within its item; the same slot of two items may be two people."

WIDE: Columns = {
    "item": RATINGS["item"],
    "group": RATINGS["group"],
    "system": RATINGS["system"],
    "form": RATINGS["form"],
    "form_version": "Number of the newest form version among these ratings.",
    "criterion": RATINGS["criterion"],
    "n_ratings": "Included ratings: not excluded, and not late unless the study includes late responses.",
    "n_cannot_rate": "Number of raters who chose “can’t rate”, with the same exclusions.",
    "mean": "Mean of the included ratings (geometric for magnitude estimates); empty if they are no numbers.",
    "pooled_version": RATINGS["pooled_version"],
}
OF_RATER = "Value by this rater, if it is included."

REQUESTED: Columns = {
    "item": RATINGS["item"],
    "form": RATINGS["form"],
    "requested": "Ratings that the item is to receive in this form: its rating slots.",
}

CHOICES: Columns = {
    **{
        name: RATINGS[name]
        for name in ("item", "group", "system", "form", "form_version", "rater", "criterion")
    },
    "value": "Key of the option, keys joined by |, or an order; empty for “can’t rate”.",
    "chosen": "Label of the chosen option, or of all options from best to worst.",
    "shown": "Keys of the options in the order that the rater saw; empty if all raters saw the same order.",
    "place": "Position of the chosen option, from 1; empty if all raters saw the same order.",
    "key": "Correct option, if the item has one.",
    **{name: RATINGS[name] for name in ("cannot_rate", "late", "simulated", "excluded")},
    "form_correction": RATINGS["form_correction"],
}

ITEMS: Columns = {
    "item": RATINGS["item"],
    "group": RATINGS["group"],
    "system": RATINGS["system"],
}
ITEM_TEXT = "Text of the item with this name."
ITEM_METADATA = "Metadata of the item; not shown to raters."

CHECKS: Columns = {
    "study": RATINGS["study"],
    "rater": RATINGS["rater"],
    "check": "Key of the attention check.",
    "kind": "instructed, gold, repeat, twin, comprehension or knowledge.",
    "item": "ID of the check item.",
    "position": "Position of the page in the rater's sequence.",
    "passed": "Result of the first response; empty if it cannot be determined.",
    "reason": "Code of the reason for the result.",
    "chance": "Probability that a rater passes without reading.",
    "answered_at": "Time at which the first response was saved; ISO 8601, UTC.",
    "seconds": RATINGS["seconds"],
    "detail": "Expected and given answer; JSON.",
}

QUALIFICATION: Columns = {
    "study": RATINGS["study"],
    "rater": RATINGS["rater"],
    "attempt": "Number of the rater's attempt to qualify, from 1.",
    "item": "ID of the calibration item.",
    "form": RATINGS["form"],
    "criterion": RATINGS["criterion"],
    "given": "Number or option by the rater; empty for “can’t rate”.",
    "reference": "Reference value of the calibration item: a number or an option.",
    "difference": "Given value minus reference value; empty if one of them is not a number.",
    "cannot_rate": RATINGS["cannot_rate"],
    "counts": "Whether this revision decided the attempt: the first one if the rater saw the reference "
    "value after each answer, otherwise the current one.",
    "revision": RATINGS["revision"],
    "answered_at": "Time at which the response was saved; ISO 8601, UTC.",
    "seconds": RATINGS["seconds"],
    "passed": "Whether the attempt was passed; empty while it is in progress or waits for approval.",
    "reason": "Code of the reason for the result.",
    "figure": "Share within the tolerance, or correlation; empty if there is none.",
    "threshold": "Threshold for passing; empty if there is none.",
    "decision": "Comment of the study member who decided, if any.",
    "detail": "Counts and correlations that led to the result; JSON.",
}

PROBLEMS: Columns = {
    "study": RATINGS["study"],
    "item": RATINGS["item"],
    "form": "Key of the form on whose page the problem was reported.",
    "rater": "Code of the rater who reported the problem.",
    "purpose": "Purpose of the page: main, qualification or check.",
    "reason": "Code of the reported problem; `comment` is not a problem.",
    "text": "The rater's own words.",
    "reported_at": "Time; ISO 8601, UTC.",
    "resolved_at": "Time at which a study member marked it as resolved; empty if not resolved.",
}

RATERS: Columns = {
    "study": RATINGS["study"],
    "rater": RATINGS["rater"],
    "state": "State of the rater: invited, consented, active, finished, withdrawn and so on.",
    "simulated": RATINGS["simulated"],
    "excluded": "Whether an active exclusion leaves all responses of the rater out of statistics.",
    "n_answered": "Number of responses of the rater.",
    "consent_version": "Number of the version of the consent form that the rater accepted last.",
    "consented_at": "Time of that consent; ISO 8601, UTC.",
    "consent_language": "Language of the consent page; empty if unknown.",
    "consent_text_language": "Language of the consent form itself; empty if unknown.",
    "finished_at": "Time at which the rater finished; ISO 8601, UTC.",
    "outcome": "Outcome of the participation: finished, screened_out, failed_checks, or no_consent after a "
    "withdrawal; empty while it continues. Excluded raters, also those that a member excludes "
    "after they finish, have screened_out, or failed_checks after that many failed checks. Nothing is stored "
    "about people who did not consent.",
}

PROFILES: Columns = {
    "rater": RATINGS["rater"],
    "n_pages": "Number of pages that the rater has answered.",
    "indicator": "Indicator of careless responding; it excludes nobody by itself.",
    "value": "Value of the indicator; empty if there is none.",
    "threshold": "Threshold of the flag.",
    "flagged": "Whether the indicator is flagged; empty if undetermined.",
    "reason": "Code of the reason why it is undetermined.",
}

SCORES: Columns = {
    "item": RATINGS["item"],
    "metric": "Name of the metric.",
    "value": "Score; empty if there is none.",
    "run": "Scoring run: scores that were computed or imported together.",
    "profile": "Models of the run, or `imported`.",
    "reason": "Code of the reason for a missing score.",
    "truncated": "Whether a model saw only the beginning of a text for this score.",
    "caution": "Caveat to report with these scores.",
}

JUDGEMENTS: Columns = {
    "item": RATINGS["item"],
    "form": "Key of the form.",
    "criterion": "Key of the criterion.",
    "judge": "Name of the automatic judge.",
    "way": "Source of its answers: `file`, `metric`, `model` or `chat`.",
    "sample": "Number of the answer, from 1, where a judge answers several times.",
    "value": "The answer; empty if there is none.",
    "reason": "Code of the reason for a missing answer.",
    "probabilities": "Probabilities of the values; JSON. Empty if unknown.",
    "raw": "The answer as it was given, before it was checked or mapped.",
    "tokens_in": "Tokens sent to a model; empty if unknown.",
    "tokens_out": "Tokens that a model wrote; empty if unknown.",
    "latency_ms": "Duration of the request in milliseconds; empty if unknown.",
    "attempts": "Number of requests until the answer.",
    "created_at": "Time at which the answer was stored; ISO 8601, UTC.",
}

EXCLUSIONS: Columns = {
    "target": "item, rater or response.",
    "item": "ID of the excluded item, or of the item with the excluded response.",
    "form": "Key of the form of an excluded response.",
    "rater": "Code of the excluded rater, or of the rater with the excluded response.",
    "rule": "Name of the rule; `by_hand` for a manual exclusion.",
    "reason": "Reason for the exclusion.",
    "author": "Code of the study member who decided.",
    "excluded_at": "Time; ISO 8601, UTC.",
    "lifted_at": "Time at which the exclusion was lifted; empty if it is active.",
    "lift_reason": "Reason for lifting it.",
    "lifted_by": "Code of the study member who lifted it.",
}

RULES: Columns = {
    "study": RATINGS["study"],
    "rule": "Key of the exclusion rule, as in `exclusions`.",
    "name": "Name of the rule.",
    "leaves_out": "What the rule excludes.",
    "conditions": "Conditions of the rule; JSON.",
    "reason": "Reason for the rule.",
    "before_opening": "Whether the rule was declared before the study was opened.",
    "declared_at": "Time; ISO 8601, UTC.",
}

MEDIA: Columns = {
    "study": RATINGS["study"],
    "file": "Name by which items name the media file.",
    "kind": "Picture, recording or video; `image`, `audio` or `video`.",
    "mime": "Media type, found from the content.",
    "size": "Size in bytes.",
    "sha256": "SHA-256 of the file that raters are sent; empty for files on other servers.",
    "sent_sha256": "SHA-256 of the file as it was sent in; pictures are re-encoded.",
    "address": "Address of a file on another server.",
    "width": "Width in pixels.",
    "height": "Height in pixels.",
    "seconds": "Duration in seconds.",
    "alt": "Description for those who do not see it.",
    "transcript": "What is said in it.",
}

PAIR_ROUNDS: Columns = {
    "study": RATINGS["study"],
    "form": "Key of the form whose pairs are chosen adaptively.",
    "criterion": "Key of the question that compares the candidates.",
    "round": "Number of the round, from 1.",
    "created_at": "Time at which the round was computed; ISO 8601, UTC.",
    "seed": "Seed of the draw among pairs that tell equally much.",
    "budget": "Comparisons in all.",
    "per_round": "Comparisons per round at most.",
    "per_item": "Comparisons of an item at most.",
    "most_rounds": "Rounds at most that ask for comparisons.",
    "n_chosen": "Number of items that got a rating slot.",
    "items": "IDs of these items in the order chosen; JSON.",
    "slots": "Numbers of their slots, in the same order; JSON.",
    "open_pairs": "Pairs of candidates without a known order; empty if no answer decided the round.",
    "all_pairs": "Pairs of candidates.",
    "strengths": "Strength of each candidate, in log odds, as the round used it; JSON, empty if no answer "
    "decided the round or a rater was erased.",
    "stopped": "Why no more pairs are added: order_known, budget, pair_limit, round_limit; empty otherwise.",
}

PAIR_COUNTS: Columns = {
    "study": RATINGS["study"],
    "form": PAIR_ROUNDS["form"],
    "round": "Number of the round that was computed from these counts. Items whose counts are as in the "
    "round before have no row.",
    "item": RATINGS["item"],
    "first": "Candidate on side a.",
    "second": "Candidate on side b.",
    "wins": "Answers that preferred the first.",
    "losses": "Answers that preferred the second.",
    "ties": "Answers that preferred neither.",
    "slots": "Comparisons that were asked for.",
    "pending": "Those of them without an answer.",
    "closed": "Whether the item was retired or excluded.",
}

ADJUDICATED: Columns = {
    "study": RATINGS["study"],
    "item": RATINGS["item"],
    "group": RATINGS["group"],
    "system": RATINGS["system"],
    "form": "Key of the form of the case.",
    "form_version": "Number of the form version of the final answer; forms.json has all versions.",
    "criterion": RATINGS["criterion"],
    "value": "Final answer, in the same form as a rating; empty if the item cannot be rated.",
    "cannot_rate": "Whether the final answer is “can’t rate”.",
    "reason": RATINGS["reason"],
    "note": "Note of the study member who decided.",
    "revision": "Number of the decision; all decisions are in adjudication_decisions.",
    "rule": "Rules that selected the criterion, joined by |; empty if it was not in dispute.",
    "chosen_from": "Code of the rater whose answer was chosen; `written` if none was, `erased` if the "
    "data of "
    "that rater have been erased since.",
    "n_answers": "Number of ratings of the criterion, without excluded ones.",
    "same_as": "Codes of the raters who gave the final answer, joined by |. Computed after adjudication, "
    "so it does not measure agreement between raters.",
    "decided_by": "Study member who decided, by role and number.",
    "decided_at": "Time; ISO 8601, UTC.",
}
DECISIONS: Columns = {
    **ADJUDICATED,
    "form_version": "Number of the form version of the decision; forms.json has all versions.",
    "value": "Answer of the decision, in the same form as a rating; empty if the item cannot be rated.",
    "cannot_rate": "Whether the decision is “can’t rate”.",
    "revision": "Number of the decision on the case, from 1.",
    "same_as": "Codes of the raters who gave this answer, joined by |. Computed after adjudication, "
    "so it does not measure agreement between raters.",
    "second_opinion": "Whether the decision is a second opinion, which is never the final answer.",
    "latest": "Whether no later decision replaces it; the final answer is the latest decision that is no "
    "second opinion.",
}
ADJUDICATED_TUPLES: Columns = {
    "item": RATINGS["item"],
    "tuple": "Number of the tuple.",
    "part": "Component: tenor, vehicle, ground, or another one of the form.",
    "start": "Start of the span in Unicode code points of the item's text, from 0; empty if the component "
    "is not located.",
    "end": "End of the span, exclusive.",
    "text": "Text of the component.",
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
    "form": "Key of the form of the case.",
    "kind": "comment; withdrawn if the case was removed from the queue; put_back if it was restored.",
    "text": "Comment, or the reason for removing the case.",
    "author": "Study member, by role and number as in `adjudicated`.",
    "at": "Time; ISO 8601, UTC.",
    "state": "State of the case: open, discussed, decided or withdrawn.",
}

AUDIT: Columns = {
    "at": "Time; ISO 8601, UTC.",
    "actor": "Code of the study member or rater; `system` for the program.",
    "act": "Action.",
    "detail": "Details of the action; JSON, without names and addresses.",
}

CODEBOOK: Columns = {
    "file": "Name of the file, without its ending if the file exists in several formats.",
    "column": "Name of the column.",
    "position": "Position of the column in the file, from 1.",
    "description": "Description of the column.",
}


def describe_columns(columns: Iterable[str], known: Columns, others: str) -> dict[str, str]:
    """The columns of one file with their descriptions; `others` describes study-specific columns."""
    return {name: known.get(name, others) for name in columns}
