"""Content of emails to raters: the text of the research team, and parts that every email has."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.signing import Signer
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.domain.base.states import TAKING_ANSWERS
from annotation.domain.people.rater_messages import MessageKind
from annotation.models import Rater, Study
from annotation.selectors.questions.text_languages import study_in

SALT = "annotation.stop_messages"


def default_texts(study: Study, kind: MessageKind, language: str) -> dict[str, str]:
    """The proposed subject and text of a message; both empty for a question.

    Parameters
    ----------
    study, kind
        The study, and what the message is for.
    language : str
        Language of the interface.
    """
    with translation.override(language):
        title = study_in(study, language).title
        if kind is MessageKind.REMINDER:
            subject = _("Reminder: %(title)s")
            text = _(
                "Hello,\n\nthank you for your answers so far. There are still items to rate in this study. "
                "You can continue when it suits you.\n\nThank you for your time."
            )
        elif kind is MessageKind.THANKS:
            subject = _("Thank you: %(title)s")
            text = _("Hello,\n\nyour answers are saved. Thank you for taking part in this study.")
        else:
            return {"subject": "", "text": ""}
        return {"subject": " ".join((subject % {"title": title}).split()), "text": text}


@dataclass(frozen=True)
class Links:
    """The addresses of one rater in an email; `personal` is empty where none can be used."""

    personal: str
    stop: str


def links_of(rater: Rater, site: str) -> Links:
    """The personal link of a rater, and the link that stops messages.

    Parameters
    ----------
    rater : Rater
        With study and invitation loaded.
    site : str
        The address under which raters open the program.
    """
    base, path = site.rstrip("/"), _personal_path(rater)
    stop = reverse("stop-messages", args=[Signer(salt=SALT).sign(str(rater.pk))])
    return Links(base + path if path else "", base + stop)


def example_links(rater: Rater) -> Links:
    """Words in place of the links, for members: the links work for the rater alone.

    Parameters
    ----------
    rater : Rater
        With study and invitation loaded.
    """
    personal = _("[the rater’s personal link]") if _personal_path(rater) else ""
    return Links(personal, _("[the rater’s link to stop emails]"))


def email_text(*, rater: Rater, text: str, language: str, links: Links) -> str:
    """The whole email to a rater: the text, the rater's own link, the contact, and how to stop messages.

    It names the study and the rater's own code, and no other person.

    Parameters
    ----------
    rater : Rater
        With the study loaded.
    text : str
        What a member has written.
    language : str
        In which the rater reads pages.
    links : Links
        The addresses in the email.
    """
    study = study_in(rater.study, language)
    with translation.override(language):
        parts = [text.strip()]
        if links.personal:
            parts.append(_("Your personal link: %(link)s") % {"link": links.personal})
        about = [_("You get this email because you take part in “%(title)s” as %(code)s.")]
        if study.contact:
            about.append(_("Questions about this study? Contact: %(contact)s"))
        about.append(_("If you want no more emails about this study, open this page: %(stop)s"))
        values = {"title": study.title, "code": rater.code, "contact": study.contact, "stop": links.stop}
        parts.append("\n".join(line % values for line in about))
    return "\n\n".join(parts) + "\n"


def _personal_path(rater: Rater) -> str:
    link = getattr(rater, "invitation", None)
    if link is None or link.revoked_at is not None or rater.study.state not in TAKING_ANSWERS:
        return ""
    return reverse("join", args=[link.token]) if link.token else ""
