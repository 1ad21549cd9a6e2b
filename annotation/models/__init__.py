from annotation.models.adjudication import (
    Adjudication,
    Case,
    Comment,
    Dispute,
    FinalAnswer,
    QueueMove,
    Verdict,
)
from annotation.models.assignment import Assignment, Batch, Seat
from annotation.models.audit import AuditEntry
from annotation.models.check import Check, CheckVerdict
from annotation.models.consent import Agreement, ConsentText
from annotation.models.demographics import DemographicAnswer, DemographicQuestion
from annotation.models.exclusion import Exclusion, ExclusionLift, ExclusionRule
from annotation.models.form import Criterion, Form, FormVersion, ScalePoint
from annotation.models.imports import ImportFile
from annotation.models.item import Item
from annotation.models.job import Job
from annotation.models.pay import Bonus, Pay
from annotation.models.people import (
    Invitation,
    Membership,
    PlatformIdentity,
    Rater,
    RaterKind,
    User,
)
from annotation.models.qualification import (
    BackgroundPage,
    CalibrationItem,
    Qualification,
    QualificationAttempt,
)
from annotation.models.response import Rating, Response
from annotation.models.stage import StageFeed, Suggestion
from annotation.models.study import Study, Withdrawal
from annotation.models.token import ApiToken
from annotation.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "Adjudication",
    "Agreement",
    "ApiToken",
    "Assignment",
    "AuditEntry",
    "BackgroundPage",
    "Batch",
    "Bonus",
    "CalibrationItem",
    "Case",
    "Check",
    "CheckVerdict",
    "Comment",
    "ConsentText",
    "Criterion",
    "DemographicAnswer",
    "DemographicQuestion",
    "Dispute",
    "Exclusion",
    "ExclusionLift",
    "ExclusionRule",
    "FinalAnswer",
    "Form",
    "FormVersion",
    "ImportFile",
    "Invitation",
    "Item",
    "Job",
    "Membership",
    "Pay",
    "PlatformIdentity",
    "Qualification",
    "QualificationAttempt",
    "QueueMove",
    "Rater",
    "RaterKind",
    "Rating",
    "Response",
    "ScalePoint",
    "Seat",
    "StageFeed",
    "Study",
    "Suggestion",
    "User",
    "Verdict",
    "Webhook",
    "WebhookDelivery",
    "Withdrawal",
]
