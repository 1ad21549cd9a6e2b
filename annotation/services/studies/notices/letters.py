"""Content of emails to members about the events of a study."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.states import NoticeEvent
from annotation.models import NoticeChoice
from annotation.selectors.studies.news import rows_of_news

# The page that an email links to.
PAGES = {
    NoticeEvent.TARGET_REACHED: "study",
    NoticeEvent.RATER_FLAGGED: "study-review",
    NoticeEvent.PROBLEM_REPORTED: "study",
    NoticeEvent.JOB_FAILED: "study-jobs",
}
CODES_NAMED = 20


def letter_about(choice: NoticeChoice, until: datetime) -> tuple[str, str] | None:
    """Subject and text of the email that is due, in the language of its reader; None if nothing is new.

    It names raters by their codes and has no texts of raters.

    Parameters
    ----------
    choice : NoticeChoice
        With membership, user and study loaded.
    until : datetime
        What happened later is left out.
    """
    study, event = choice.membership.study, NoticeEvent(choice.event)
    rows = rows_of_news(study.pk, choice.seen_until, until)[event]
    n = rows.count()
    if not n:
        return None
    codes: list[str] = []
    if event is NoticeEvent.RATER_FLAGGED:
        codes = list(rows.order_by("rater__code").values_list("rater__code", flat=True)[:CODES_NAMED])
    with translation.override(choice.language):
        subject, sentence = _words(event, n, study.title, ", ".join(codes))
        why = _(
            "You receive this email because you chose it under Settings → Notifications of this study. There "
            "you can also turn it off."
        )
    link = choice.site.rstrip("/") + reverse(PAGES[event], args=[study.slug])
    # A subject is one line, whatever the title is.
    return " ".join(subject.split()), f"{sentence}\n\n{link}\n\n{why}\n"


def _words(event: NoticeEvent, n: int, title: str, codes: str) -> tuple[str, str]:
    """The subject, and the sentence that describes the event."""
    names = {"n": n, "title": title, "codes": codes}
    if event is NoticeEvent.TARGET_REACHED:
        subject = _("Target reached: %(title)s")
        sentence = _("All rating slots of “%(title)s” are filled. You can close the study.")
    elif event is NoticeEvent.RATER_FLAGGED:
        subject = _("Raters with flags: %(title)s")
        sentence = ngettext(
            "%(n)d rater of “%(title)s” has new flags: %(codes)s. Flags ask you to review a rater; they "
            "do not exclude anyone.",
            "%(n)d raters of “%(title)s” have new flags: %(codes)s. Flags ask you to review a rater; they "
            "do not exclude anyone.",
            n,
        )
    elif event is NoticeEvent.PROBLEM_REPORTED:
        subject = _("Problems reported: %(title)s")
        sentence = ngettext(
            "Raters reported %(n)d problem with an item of “%(title)s”.",
            "Raters reported %(n)d problems with items of “%(title)s”.",
            n,
        )
    else:
        subject = _("Jobs failed: %(title)s")
        sentence = ngettext("%(n)d job of “%(title)s” failed.", "%(n)d jobs of “%(title)s” failed.", n)
    return subject % names, sentence % names
