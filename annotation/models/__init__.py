from annotation.models.adjudication.adjudication import (
    Adjudication,
    Case,
    Comment,
    Dispute,
    FinalAnswer,
    QueueMove,
    Verdict,
)
from annotation.models.base.accounts import (
    Invitation,
    Membership,
    PlatformIdentity,
    Rater,
    RaterKind,
    User,
)
from annotation.models.base.audit import AuditEntry
from annotation.models.base.job import Job
from annotation.models.base.pending_upload import ImportFile
from annotation.models.base.publication import EvaluationSheet, Release
from annotation.models.base.study import Study, Withdrawal
from annotation.models.base.token import ApiToken
from annotation.models.base.upload import Upload
from annotation.models.base.webhook import Webhook, WebhookDelivery
from annotation.models.base.worker import WorkerProcess
from annotation.models.items.item import Item
from annotation.models.items.media_file import MediaFile
from annotation.models.pay.crowd import CrowdConnection, CrowdStudy, CrowdSubmission
from annotation.models.pay.ledger import (
    EarnedBefore,
    LedgerRowError,
    OutsideBatch,
    Payment,
    PaymentBatch,
    PaymentEntry,
    PaymentList,
)
from annotation.models.pay.pay import Bonus, Pay
from annotation.models.people.consent import Agreement, ConsentText
from annotation.models.people.demographics import DemographicAnswer, DemographicQuestion
from annotation.models.people.notice import NoticeChoice
from annotation.models.people.pilot_match import PilotMatch
from annotation.models.people.rater_message import MessageDelivery, RaterMessage
from annotation.models.quality.check import Check, CheckVerdict
from annotation.models.quality.exclusion import Exclusion, ExclusionLift, ExclusionRule
from annotation.models.quality.flag import RaterFlag
from annotation.models.quality.qualification import (
    BackgroundPage,
    CalibrationItem,
    Qualification,
    QualificationAttempt,
)
from annotation.models.questions.form import Criterion, Form, FormVersion, ScalePoint
from annotation.models.seats.assignment import Assignment, Batch, Seat
from annotation.models.seats.pairing import AdaptivePairing, PairRound
from annotation.models.seats.problem import ProblemReport
from annotation.models.seats.response import Rating, Response
from annotation.models.seats.stage import StageFeed, Suggestion
