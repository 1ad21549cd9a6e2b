"""Changes to a judge that answers by a local model, as long as it has no answer."""

from __future__ import annotations

from dataclasses import asdict, replace

from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import ENDED_JOBS
from annotation.models import Job, User
from annotation.services.base import audit
from scoring.backends.checkpoints import shown_checkpoint
from scoring.models import Judge, JudgeCall
from scoring.services.judges.running.asking import checked_local
from scoring.services.judges.running.planning import has_answers
from scoring.services.judges.running.prompts import stored_form
from scoring.services.judges.running.runs import KIND
from scoring.services.judges.running.settings import MODEL, LocalSettings


def change_model(*, judge: Judge, checkpoint: str, actor: User | None) -> Judge:
    """Let another local model answer for a judge that has no answer yet.

    Parameters
    ----------
    judge : Judge
        Judge of the way `model`.
    checkpoint : str
        From `checkpoint_in_store`.
    actor : User or None
        Who changes it; None on the command line.

    Raises
    ------
    NotAllowedNow
        `judge_without_model`: it answers by no local model; `judge_is_running` or `judge_has_answers`.
    """
    with transaction.atomic():
        locked = Judge.objects.select_for_update(of=("self",)).select_related("study").get(pk=judge.pk)
        _check_changeable(locked)
        before = LocalSettings.stored(locked.settings)
        form = stored_form(locked.study, locked.settings["criteria"])
        asked = checked_local(replace(before, checkpoint=checkpoint), form)
        # Planned calls and the revision belong to the model before.
        JudgeCall.objects.filter(judge=locked).delete()
        unchanged = {name: value for name, value in locked.settings.items() if name != "revision"}
        locked.settings = unchanged | {MODEL: asdict(asked)}
        locked.save(update_fields=["settings"])
        audit.record(
            study=locked.study,
            actor=actor,
            act="change_judge_model",
            name=locked.name,
            before=shown_checkpoint(before.checkpoint),
            after=shown_checkpoint(checkpoint),
        )
    return locked


def _check_changeable(judge: Judge) -> None:
    if judge.way != MODEL:
        sentence = message("This judge answers by no local model.")
        raise NotAllowedNow(sentence, code="judge_without_model")
    runs = Job.objects.filter(study=judge.study, kind=KIND, params={"judge": judge.pk})
    if runs.exclude(state__in=ENDED_JOBS).exists():
        sentence = message("The judge is running. Cancel the run, then change the model.")
        raise NotAllowedNow(sentence, code="judge_is_running")
    if has_answers(judge):
        sentence = message("The judge has answers of its model. Add a new judge for another model.")
        raise NotAllowedNow(sentence, code="judge_has_answers")
