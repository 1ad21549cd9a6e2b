"""What a judge would be asked about an item, for people to read before anything is asked."""

from __future__ import annotations

from annotation.models import Item
from scoring.models import Judge
from scoring.services.judges.running.prompts import stored_form
from scoring.services.judges.running.settings import CAUSAL, CHAT, LocalSettings


def shown_prompts(judge: Judge, item: Item) -> list[str]:
    """The texts that a judge would get about an item: one for a call, or for each criterion.

    Parameters
    ----------
    judge : Judge
        Judge that answers by a model.
    item : Item
        Item of the judge’s study.

    Raises
    ------
    InvalidContent
        `unknown_criterion`: the form was replaced while the study was a draft.
    """
    form = stored_form(judge.study, judge.settings["criteria"])
    if judge.way == CHAT:
        return [form.prompt(item).as_text]
    if LocalSettings.stored(judge.settings).kind == CAUSAL:
        return [form.prompt_of(criterion.key, item).as_text for criterion in form.criteria]
    return [form.plain_text(item)]
