"""A judge at the chat endpoint of the tests, or by an embedded model, and its runs."""

from __future__ import annotations

from typing import Any

from annotation.models import Job, Study, User
from annotation.services.base.jobs import claim
from scoring.models import Judge
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.running.adding import add_chat_judge, chat_settings
from scoring.services.judges.running.permission import allow_texts
from scoring.services.judges.running.runs import request_run, run_judge

CRITERIA = ("quality", "creativity")


def add_judge(study: Study, name: str = "Chat", **changes: Any) -> Judge:
    """A chat judge to which no text may be sent yet."""
    asked = chat_settings("judge-1", **{"patience": 2, "per_minute": 600, **changes})
    return add_chat_judge(study=study, notes=JudgeNotes(name), criteria=CRITERIA, asked=asked, actor=None)


def allowed_judge(study: Study, owner: User, name: str = "Chat", **changes: Any) -> Judge:
    """A chat judge to which the owner lets texts be sent."""
    judge = add_judge(study, name, **changes)
    return allow_texts(judge=judge, actor=owner, consent_names_it=True)


def run(judge: Judge) -> Job:
    """Do the judge's job here to its end."""
    job = request_run(judge=judge, actor=None, announce=False)
    lease = claim(job_id=job.pk)
    assert lease is not None
    run_judge(lease=lease)
    job.refresh_from_db()
    return job
