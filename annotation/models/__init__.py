from annotation.models.assignment import Assignment, Batch, Seat
from annotation.models.audit import AuditEntry
from annotation.models.check import Check, CheckVerdict
from annotation.models.exclusion import Exclusion, ExclusionLift
from annotation.models.form import Criterion, Form, FormVersion, ScalePoint
from annotation.models.item import Item
from annotation.models.job import Job
from annotation.models.people import (
    Invitation,
    Membership,
    PlatformIdentity,
    Rater,
    RaterKind,
    User,
)
from annotation.models.response import Rating, Response
from annotation.models.study import Study, Withdrawal

__all__ = [
    "Assignment",
    "AuditEntry",
    "Batch",
    "Check",
    "CheckVerdict",
    "Criterion",
    "Exclusion",
    "ExclusionLift",
    "Form",
    "FormVersion",
    "Invitation",
    "Item",
    "Job",
    "Membership",
    "PlatformIdentity",
    "Rater",
    "RaterKind",
    "Rating",
    "Response",
    "ScalePoint",
    "Seat",
    "Study",
    "User",
    "Withdrawal",
]
