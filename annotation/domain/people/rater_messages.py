"""Messages of the research team to raters: their purposes, and the states of their delivery."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from annotation.domain.base.messages import message

# A rater gets one reminder in this time, unless the last one failed.
REMINDER_INTERVAL = timedelta(days=1)


class MessageKind(StrEnum):
    REMINDER = "reminder"
    THANKS = "thanks"
    QUESTION = "question"


class DeliveryState(StrEnum):
    """The state of the delivery of a message to one rater.

    `sending` is stored before the mail server gets the email. If its worker dies, the delivery is in doubt
    and is never sent again. `listed`: a member sends the text on the crowd platform.
    """

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    IN_DOUBT = "in_doubt"
    NOT_SENT = "not_sent"
    LISTED = "listed"


class Unreachable(StrEnum):
    """Why a rater gets no message."""

    SIMULATED = "simulated"
    NO_ADDRESS = "no_address"
    NO_MAIL_SERVER = "no_mail_server"
    STOPPED = "stopped"
    NOT_JOINED = "not_joined"
    WITHDRAWN = "withdrawn"
    FINISHED = "finished"
    NOTHING_LEFT = "nothing_left"
    NOT_OPEN = "not_open"
    NOTHING_SAVED = "nothing_saved"
    REMINDED = "reminded"


MESSAGE_KINDS: Mapping[str, str] = {
    MessageKind.REMINDER: message("Reminder"),
    MessageKind.THANKS: message("Thanks"),
    MessageKind.QUESTION: message("Question"),
}
DELIVERY_STATES: Mapping[str, str] = {
    DeliveryState.WAITING: message("waiting"),
    DeliveryState.SENDING: message("being sent"),
    DeliveryState.SENT: message("sent"),
    DeliveryState.FAILED: message("refused by the mail server"),
    DeliveryState.IN_DOUBT: message("in doubt"),
    DeliveryState.NOT_SENT: message("not sent"),
    DeliveryState.LISTED: message("to be sent on the platform"),
}
UNREACHABLE: Mapping[str, str] = {
    Unreachable.SIMULATED: message("is simulated"),
    Unreachable.NO_ADDRESS: message("no email address and no platform ID"),
    Unreachable.NO_MAIL_SERVER: message("this server sends no emails"),
    Unreachable.STOPPED: message("wants no messages"),
    Unreachable.NOT_JOINED: message("has not joined"),
    Unreachable.WITHDRAWN: message("has withdrawn"),
    Unreachable.FINISHED: message("has finished"),
    Unreachable.NOTHING_LEFT: message("no items are left to rate"),
    Unreachable.NOT_OPEN: message("the study is not open"),
    Unreachable.NOTHING_SAVED: message("has saved no responses"),
    Unreachable.REMINDED: message("got a reminder in the last 24 hours"),
}

# Raters who get no reminder, or no thanks, for one of these reasons can get another kind of message.
ONLY_OF_SOME_KINDS = frozenset(
    {
        Unreachable.FINISHED,
        Unreachable.NOTHING_LEFT,
        Unreachable.NOT_OPEN,
        Unreachable.NOTHING_SAVED,
        Unreachable.REMINDED,
    }
)


@dataclass(frozen=True)
class MessageDraft:
    """What a member wants to send to some raters, by their codes.

    `texts` has subject and text by language of raters' pages; `key` identifies the page, so that sending it
    twice creates one message.
    """

    kind: MessageKind
    codes: Collection[str]
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    key: uuid.UUID = field(default_factory=uuid.uuid4)
