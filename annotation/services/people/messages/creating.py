"""Messages to raters: created for several raters at once, and requested again where sending failed."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import (
    LONGEST_MESSAGE,
    LONGEST_MESSAGE_SUBJECT,
    MOST_RATERS_WRITTEN_TO,
)
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import is_one_line, validated_text
from annotation.domain.people.rater_messages import DeliveryState, MessageDraft
from annotation.models import MessageDelivery, RaterMessage, Study, User
from annotation.selectors.base.table_types import Table
from annotation.selectors.people.rater_messages import Recipient, listed_table, people_of, recipients_of
from annotation.services.base import audit
from annotation.services.base.jobs import enqueue
from annotation.services.people.messages.letters import default_texts

KIND = "rater_messages"


def create_message(*, study: Study, actor: User, draft: MessageDraft, site: str) -> RaterMessage:
    """Store a message and enqueue its emails. Raters that it does not reach are left out.

    Parameters
    ----------
    study, actor
        The study, and who writes.
    draft : MessageDraft
        A language of a recipient without a text gets the proposed one. The same key again returns the message
        that was created before.
    site : str
        The address under which raters open the program, for links.

    Returns
    -------
    RaterMessage
        With a delivery for each rater that it reaches.

    Raises
    ------
    InvalidContent
        `no_rater`, `too_many_raters`, `unknown_rater`; a subject or text is missing (`no_message_text`) or
        too long (`bad_message_text`).
    NotAllowedNow
        The message reaches none of the raters (`nobody_reached`).
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        before = RaterMessage.objects.filter(study=study, key=draft.key).first()
        if before is not None:
            return before
        reached = [one for one in checked_recipients(study, draft) if one.refusal is None]
        if not reached:
            raise NotAllowedNow(
                message("Nothing was sent: the message reaches none of the selected raters."),
                code="nobody_reached",
            )
        texts = checked_texts(study, draft, {one.language for one in reached})
        return _store(study, actor, draft, texts, site, reached)


def checked_recipients(study: Study, draft: MessageDraft) -> list[Recipient]:
    """The chosen raters, each with whether the message reaches them.

    Parameters
    ----------
    study, draft
        The study, and what a member wants to send.

    Raises
    ------
    InvalidContent
        `no_rater`, `too_many_raters` or `unknown_rater`.
    """
    codes = set(draft.codes)
    if not codes:
        raise InvalidContent(message("Select at least one rater."), code="no_rater")
    if len(codes) > MOST_RATERS_WRITTEN_TO:
        sentence = message("Select at most %(n)s raters.", n=f"{MOST_RATERS_WRITTEN_TO:,}")
        raise InvalidContent(sentence, code="too_many_raters")
    possible = {code for code in codes if "\x00" not in code}
    known = set(people_of(study).filter(code__in=possible).values_list("code", flat=True))
    if unknown := sorted(codes - known):
        sentence = message("Nothing was sent: the study has no rater “%(code)s”.", code=unknown[0])
        raise InvalidContent(sentence, code="unknown_rater")
    return recipients_of(study, draft.kind, possible, timezone.now())


def checked_texts(study: Study, draft: MessageDraft, languages: Collection[str]) -> dict[str, dict[str, str]]:
    """Subject and text in each language; the proposed ones where a member has written none.

    Parameters
    ----------
    study, draft
        The study, and what a member wants to send.
    languages : collection of str
        Those of the recipients.

    Raises
    ------
    InvalidContent
        `no_message_text` or `bad_message_text`; the fields are named like `text-en`.
    """
    found = {}
    for language in sorted(languages):
        given = draft.texts.get(language) or default_texts(study, draft.kind, language)
        subject, text = validated_text(given.get("subject", "")), validated_text(given.get("text", ""))
        _check(language, subject, text)
        found[language] = {"subject": subject, "text": text}
    return found


def _check(language: str, subject: str, text: str) -> None:
    for name, words in (("subject", subject), ("text", text)):
        if not words:
            sentence = message(
                "Enter a subject and a text in each language (%(language)s).", language=language
            )
            raise InvalidContent(sentence, code="no_message_text", fields={f"{name}-{language}": sentence})
    if len(subject) > LONGEST_MESSAGE_SUBJECT or not is_one_line(subject):
        sentence = message(
            "Enter a subject on one line of at most %(n)d characters.", n=LONGEST_MESSAGE_SUBJECT
        )
        raise InvalidContent(sentence, code="bad_message_text", fields={f"subject-{language}": sentence})
    if len(text) > LONGEST_MESSAGE:
        sentence = message("Enter a text of at most %(n)d characters.", n=LONGEST_MESSAGE)
        raise InvalidContent(sentence, code="bad_message_text", fields={f"text-{language}": sentence})


def _store(
    study: Study,
    actor: User,
    draft: MessageDraft,
    texts: dict[str, dict[str, str]],
    site: str,
    reached: list[Recipient],
) -> RaterMessage:
    last = RaterMessage.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    stored = RaterMessage.objects.create(
        study=study, number=last + 1, kind=draft.kind, texts=texts, key=draft.key, site=site, author=actor
    )
    MessageDelivery.objects.bulk_create(
        MessageDelivery(
            message=stored,
            rater=one.rater,
            language=one.language,
            state=DeliveryState.WAITING if one.by_email else DeliveryState.LISTED,
        )
        for one in reached
    )
    by_email = sum(one.by_email for one in reached)
    about = {"rater": reached[0].rater.code} if len(reached) == 1 else {}
    audit.record(
        study=study,
        actor=actor,
        act="send_message",
        number=stored.number,
        kind=draft.kind.value,
        emails=by_email,
        listed=len(reached) - by_email,
        **about,
    )
    if by_email:
        enqueue(kind=KIND, study=study, params={"message": stored.pk}, created_by=actor)
    return stored


def send_again(*, sent: RaterMessage, actor: User) -> int:
    """Enqueue the emails that the mail server refused, and those that wait; none that is in doubt.

    Parameters
    ----------
    sent, actor
        A message, and who asks.

    Returns
    -------
    int
        How many emails are sent.

    Raises
    ------
    NotAllowedNow
        No email failed or waits (`nothing_failed`).
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=sent.study_id)
        sent.deliveries.filter(state=DeliveryState.FAILED).update(state=DeliveryState.WAITING, reason="")
        n = sent.deliveries.filter(state=DeliveryState.WAITING).count()
        if not n:
            raise NotAllowedNow(message("No email of this message failed or waits."), code="nothing_failed")
        audit.record(study=sent.study, actor=actor, act="send_message_again", number=sent.number, emails=n)
        enqueue(kind=KIND, study=sent.study, params={"message": sent.pk}, created_by=actor)
    return n


def export_listed(*, listed: RaterMessage, actor: User) -> Table:
    """The platform IDs of the raters who get a message on the platform; the audit log records the export.

    Parameters
    ----------
    listed, actor
        A message, and who exports the list.
    """
    audit.record(
        study=listed.study, actor=actor, act="export_platform_ids", format="csv", message=listed.number
    )
    return listed_table(listed)
