"""Closed sets of words in the schema; named there by `ENUM_NAME_OVERRIDES`."""

from __future__ import annotations

from annotation.domain.adjudication.differences import CaseState, Rule
from annotation.domain.base.states import JobState, NoticeEvent, RaterState, Role, StudyState, values
from annotation.domain.pay.crowd import OFFERS, Decision, DecisionState, Reason
from annotation.domain.pay.payment_states import PaymentKind, PaymentState
from annotation.domain.people.demographics import DemographicKind
from annotation.domain.people.rater_messages import DeliveryState, MessageKind
from annotation.domain.questions.kinds.registry import KINDS
from annotation.selectors.quality.qualification import Step

STUDY_STATES = values(StudyState)
RATER_STATES = values(RaterState)
JOB_STATES = values(JobState)
ROLES = values(Role)
MEMBER_ROLES = [role.value for role in Role if role is not Role.RATER]
CRITERION_KINDS = list(KINDS)
DEMOGRAPHIC_KINDS = values(DemographicKind)
STEPS = values(Step)
CASE_STATES = values(CaseState)
DISPUTE_RULES = values(Rule)
PAYMENT_KINDS = values(PaymentKind)
PAYMENT_STATES = values(PaymentState)
NOTICE_EVENTS = values(NoticeEvent)
MESSAGE_KINDS = values(MessageKind)
DELIVERY_STATES = values(DeliveryState)
CROWD_PLATFORMS = [one.value for one in OFFERS]
CROWD_DECISIONS = values(Decision)
CROWD_DECISION_STATES = values(DecisionState)
CROWD_REASONS = values(Reason)
