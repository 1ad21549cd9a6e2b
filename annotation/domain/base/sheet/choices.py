"""The options of the single-choice questions of the human evaluation sheet."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.domain.base.messages import Message, message

Choices = Mapping[str, Message]

# Where there is no paper to link to yet.
UNPUBLISHED: Choices = {
    "preregistration": message("Nowhere yet: the sheet is for preregistration"),
    "unpublished": message("Nowhere yet: not published"),
}
YES_NO: Choices = {"yes": message("Yes"), "no": message("No")}
SELECTION: Choices = {
    "all": message("All of them"),
    "random": message("At random"),
    "stratified": message("At random within strata"),
    "arbitrary": message("Manually, without a rule"),
    "balanced": message("Manually, for balance or variety"),
    "other": message("In another way"),
}
EXPERTISE: Choices = {
    "experts": message("Experts"),
    "non_experts": message("No experts"),
    "both": message("Both experts and others"),
}
PAYMENT: Choices = {
    "money": message("Paid in money"),
    "other": message("Rewarded in another way, such as course credits"),
    "none": message("Not paid"),
}
KNOWN_BEFORE: Choices = {
    "all": message("Yes, all of them"),
    "some": message("Yes, some of them"),
    "none": message("No, none of them"),
}
CONDITIONS: Choices = {
    "own_place": message("Wherever the raters chose to be"),
    "lab_same": message("In a laboratory, under the same conditions"),
    "lab_varying": message("In a laboratory, under varying conditions"),
    "real_same": message("In a real situation, under the same conditions"),
    "real_varying": message("In a real situation, under varying conditions"),
    "like_real_same": message("In a situation like a real one, under the same conditions"),
    "like_real_varying": message("In a situation like a real one, under varying conditions"),
    "other": message("In other conditions"),
}
QUALITY: Choices = {
    "correctness": message("Correctness: a text can be fully correct"),
    "goodness": message("Goodness: of two texts one can be better, without a highest point"),
    "feature": message("A feature: more of it is neither better nor worse in itself"),
}
ASPECT: Choices = {
    "form": message("The form"),
    "content": message("The content"),
    "both": message("Form and content"),
}
FRAME: Choices = {
    "own_right": message("The text alone"),
    "input": message("The text compared with the input"),
    "external": message("The text compared with something outside the system"),
}
EFFECT: Choices = {
    "intrinsic": message("Intrinsic: the text itself is judged"),
    "extrinsic": message("Extrinsic: its effect on a task or a reader is measured"),
}
