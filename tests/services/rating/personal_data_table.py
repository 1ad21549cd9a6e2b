"""Every column about a rater: whether the rater's file has it, and what erasing does to it.

In the file: `always`; `review`, once the study is closed; `no`, for keys and settings that describe no one.
Erasing: `erased`, the row is gone or the column empty; `replaced`, by a hash or the time of erasing; `stays`.
"""

from __future__ import annotations

from typing import NamedTuple

TABLE = """
Rater.id                           no      stays
Rater.study                        always  stays
Rater.code                         always  stays
Rater.kind                         no      stays
Rater.user                         always  erased
Rater.state                        always  replaced
Rater.simulated                    no      stays
Rater.seed                         no      stays
Rater.target                       no      stays
Rater.panel                        no      stays
Rater.extra                        no      stays
Rater.pages_read                   always  stays
Rater.join_key                     no      erased
Rater.consented_at                 always  stays
Rater.consent_number               always  stays
Rater.described_at                 always  stays
Rater.came_by                      no      stays
Rater.finished_at                  always  stays
Rater.last_seen_at                 always  erased
Rater.messages_stopped_at          always  erased
Rater.created_at                   always  stays
Invitation.id                      no      stays
Invitation.study                   no      stays
Invitation.rater                   no      stays
Invitation.token_digest            no      stays
Invitation.sealed_token            no      stays
Invitation.label                   always  erased
Invitation.person_hash             no      erased
Invitation.cap                     no      stays
Invitation.panel                   no      stays
Invitation.platform                no      stays
Invitation.person_param            no      stays
Invitation.task_param              no      stays
Invitation.session_param           no      stays
Invitation.completion_code         no      stays
Invitation.screenout_code          no      stays
Invitation.no_consent_code         no      stays
Invitation.failed_checks_code      no      stays
Invitation.failed_checks_from      no      stays
Invitation.completion_url          no      stays
Invitation.screenout_url           no      stays
Invitation.no_consent_url          no      stays
Invitation.failed_checks_url       no      stays
Invitation.created_by              no      stays
Invitation.created_at              always  stays
Invitation.revoked_at              no      stays
Invitation.paused_at               no      stays
Invitation.expires_at              no      stays
PlatformIdentity.id                no      stays
PlatformIdentity.rater             no      stays
PlatformIdentity.study             no      stays
PlatformIdentity.invitation        no      stays
PlatformIdentity.platform          always  stays
PlatformIdentity.person            always  replaced
PlatformIdentity.task              always  erased
PlatformIdentity.session           always  erased
PlatformIdentity.submit_to         always  erased
PlatformIdentity.erased_at         no      replaced
PlatformIdentity.created_at        no      stays
PilotMatch.id                      no      erased
PilotMatch.rater                   always  erased
PilotMatch.main_rater              always  erased
Agreement.id                       no      stays
Agreement.rater                    no      stays
Agreement.text                     always  stays
Agreement.agreed_at                always  stays
Agreement.interface_language       always  stays
DemographicAnswer.id               no      erased
DemographicAnswer.rater            no      erased
DemographicAnswer.question         always  erased
DemographicAnswer.value            always  erased
DemographicAnswer.declined         always  erased
DemographicAnswer.answered_at      always  erased
Seat.id                            no      stays
Seat.form                          no      stays
Seat.item                          no      stays
Seat.slot                          no      stays
Seat.batch                         no      stays
Seat.shuffle                       no      stays
Seat.state                         no      replaced
Seat.rater                         no      erased
Seat.until                         no      erased
Assignment.id                      no      stays
Assignment.rater                   no      stays
Assignment.item                    always  stays
Assignment.form                    always  stays
Assignment.version                 no      stays
Assignment.seat                    no      stays
Assignment.purpose                 review  stays
Assignment.check_planted           review  stays
Assignment.attempt                 no      stays
Assignment.position                no      stays
Assignment.page_key                no      stays
Assignment.created_at              always  replaced
Assignment.opened_at               always  erased
Assignment.held_until              no      erased
Assignment.submitted_at            always  replaced
Assignment.hurried_after           always  erased
Assignment.hurried_content         no      erased
Response.id                        no      erased
Response.assignment                no      erased
Response.revision                  always  erased
Response.current                   always  erased
Response.submission_key            no      erased
Response.version                   no      erased
Response.cannot_rate               always  erased
Response.remark                    always  erased
Response.late                      always  erased
Response.shown_at                  always  erased
Response.submitted_at              always  erased
Response.seconds                   always  erased
Response.hurried_after             always  erased
Response.active_seconds            always  erased
Response.away_seconds              always  erased
Response.times_away                always  erased
Response.pastes                    always  erased
Response.suggestions               always  erased
Response.first_values              always  erased
Response.heard                     always  erased
Response.interface_language        always  erased
Response.text_language             always  erased
ProblemReport.id                   no      erased
ProblemReport.assignment           no      erased
ProblemReport.report_key           no      erased
ProblemReport.reason               always  erased
ProblemReport.text                 always  erased
ProblemReport.reported_at          always  erased
ProblemReport.resolved_at          always  erased
ProblemReport.resolved_by          no      erased
Rating.id                          no      erased
Rating.value                       always  erased
Rating.minimum                     no      erased
Rating.maximum                     no      erased
Rating.answer                      always  erased
Rating.content                     always  erased
Rating.response                    no      erased
Rating.criterion                   always  erased
Rating.shown                       always  erased
Suggestion.id                      no      erased
Suggestion.assignment              no      erased
Suggestion.response                no      erased
Suggestion.place                   no      erased
CheckVerdict.id                    no      erased
CheckVerdict.assignment            no      erased
CheckVerdict.passed                review  erased
CheckVerdict.reason                review  erased
CheckVerdict.detail                review  erased
CheckVerdict.chance                no      erased
CheckVerdict.created_at            no      erased
QualificationAttempt.id            no      stays
QualificationAttempt.rater         no      stays
QualificationAttempt.number        review  stays
QualificationAttempt.started_at    review  stays
QualificationAttempt.finished_at   review  stays
QualificationAttempt.passed        review  stays
QualificationAttempt.reason        review  stays
QualificationAttempt.figure        review  erased
QualificationAttempt.threshold     review  stays
QualificationAttempt.detail        review  erased
QualificationAttempt.decision      review  erased
QualificationAttempt.decided_by    no      stays
QualificationAttempt.decided_at    review  stays
Bonus.id                           no      stays
Bonus.rater                        no      stays
Bonus.amount                       always  stays
Bonus.note                         always  erased
Bonus.author                       no      stays
Bonus.granted_at                   always  stays
Payment.id                         no      stays
Payment.study                      no      stays
Payment.rater                      no      stays
Payment.payment_list               no      stays
Payment.kind                       always  stays
Payment.number                     no      stays
Payment.amount                     always  stays
Payment.currency                   always  stays
Payment.key                        always  stays
PaymentEntry.id                    no      stays
PaymentEntry.payment               no      stays
PaymentEntry.number                no      stays
PaymentEntry.previous              no      stays
PaymentEntry.state                 always  stays
PaymentEntry.attempt               no      stays
PaymentEntry.reference             always  stays
PaymentEntry.note                  always  erased
PaymentEntry.batch                 no      stays
PaymentEntry.actor                 no      stays
PaymentEntry.at                    always  stays
EarnedBefore.id                    no      stays
EarnedBefore.rater                 no      stays
EarnedBefore.base                  always  stays
EarnedBefore.top_up                always  stays
EarnedBefore.currency              always  stays
EarnedBefore.at                    always  stays
MessageDelivery.id                 no      erased
MessageDelivery.message            no      erased
MessageDelivery.rater              no      erased
MessageDelivery.state              always  erased
MessageDelivery.language           always  erased
MessageDelivery.reason             always  erased
MessageDelivery.tried_at           always  erased
CrowdStudy.id                      no      stays
CrowdStudy.study                   no      stays
CrowdStudy.platform                no      stays
CrowdStudy.invitation              no      stays
CrowdStudy.number                  no      stays
CrowdStudy.internal_name           no      stays
CrowdStudy.content                 no      stays
CrowdStudy.screen_out_code         no      stays
CrowdStudy.places                  no      stays
CrowdStudy.reward                  no      stays
CrowdStudy.status                  no      stays
CrowdStudy.made_by                 no      stays
CrowdStudy.made_at                 no      stays
CrowdStudy.asked_at                no      stays
CrowdStudy.read_at                 no      stays
CrowdSubmission.id                 no      erased
CrowdSubmission.study              no      erased
CrowdSubmission.platform           always  erased
CrowdSubmission.rater              no      erased
CrowdSubmission.number             always  erased
CrowdSubmission.status             always  erased
CrowdSubmission.code               always  erased
CrowdSubmission.return_requested   always  erased
CrowdSubmission.read_at            always  erased
CrowdSubmission.decision           always  erased
CrowdSubmission.decision_state     always  erased
CrowdSubmission.reason             always  erased
CrowdSubmission.problem            no      erased
CrowdSubmission.decided_by         no      erased
CrowdSubmission.decided_at         always  erased
RaterFlag.id                       no      erased
RaterFlag.rater                    no      erased
RaterFlag.indicators               review  erased
RaterFlag.flagged_at               review  erased
Exclusion.id                       no      stays
Exclusion.study                    no      stays
Exclusion.item                     no      stays
Exclusion.rater                    no      stays
Exclusion.response                 no      erased
Exclusion.rule                     review  stays
Exclusion.by_rule                  no      stays
Exclusion.reason                   review  erased
Exclusion.author                   no      stays
Exclusion.created_at               review  stays
ExclusionLift.id                   no      stays
ExclusionLift.exclusion            no      stays
ExclusionLift.reason               review  erased
ExclusionLift.author               no      stays
ExclusionLift.created_at           review  stays
FinalAnswer.id                     no      stays
FinalAnswer.value                  review  stays
FinalAnswer.minimum                no      stays
FinalAnswer.maximum                no      stays
FinalAnswer.answer                 review  stays
FinalAnswer.content                review  stays
FinalAnswer.verdict                no      stays
FinalAnswer.criterion              review  stays
FinalAnswer.chosen                 no      stays
FinalAnswer.chosen_from            no      erased
RaterFigure.id                     no      erased
RaterFigure.made                   no      erased
RaterFigure.rater                  no      erased
RaterFigure.n_answers              review  erased
RaterFigure.n_cannot               review  erased
RaterFigure.seconds                review  erased
RaterFigure.n_checks               review  erased
RaterFigure.n_failed               review  erased
RaterFigure.n_shared               review  erased
RaterFigure.severity               review  erased
RaterFigure.severity_low           review  erased
RaterFigure.severity_high          review  erased
RaterFigure.held_out               review  erased
RaterFigure.flat                   review  erased
RaterFigure.longest_run            review  erased
"""
# How the file names what a column refers to.
NAMED_BY = {
    "Rater.study": "slug",
    "Rater.user": "email",
    "PilotMatch.rater": "code",
    "PilotMatch.main_rater": "code",
    "Agreement.text": "text",
    "DemographicAnswer.question": "text",
    "Assignment.form": "title",
    "Assignment.check_planted": "key",
    "Rating.criterion": "name",
    "FinalAnswer.criterion": "name",
}
# Shown as texts, of which a test of erasure says more.
AS_TEXTS = {"Assignment.item", "Payment.amount", "EarnedBefore.base", "EarnedBefore.top_up"}


class Treatment(NamedTuple):
    file: str
    erasing: str


LINES = [line.split() for line in TABLE.strip().splitlines()]
MAP = {name: Treatment(file, erasing) for name, file, erasing in LINES}
