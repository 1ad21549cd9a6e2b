"""Addresses of the collecting side."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.views.adjudication import queue
from annotation.views.adjudication.case import back, case, discuss, withdraw
from annotation.views.base import api_tokens, jobs, webhooks
from annotation.views.base.audit import audit
from annotation.views.base.audit import download as audit_download
from annotation.views.items import item_files
from annotation.views.items.imports import import_file
from annotation.views.pay import pay
from annotation.views.people import demographics
from annotation.views.people.consent import consent
from annotation.views.quality import calibration, checks, qualification, review
from annotation.views.rating.before_rating import AboutYouView, ConsentView
from annotation.views.rating.join import JoinView, declined
from annotation.views.rating.qualifying import BackgroundView, FeedbackView, NotesView, QualificationView
from annotation.views.rating.rater_pages import GuideView, PauseView, WithdrawView
from annotation.views.rating.rating import AssignmentView, MoreView, RateView
from annotation.views.studies import definition, draft, exports, form_editor, overview, settings, stages
from annotation.views.studies.design import collect_more, more_for_each, preview
from annotation.views.studies.home import home
from annotation.views.studies.new_study import new_study

rating_urls: list[URLPattern] = [
    path("", home, name="home"),
    path("join/<str:token>/", JoinView.as_view(), name="join"),
    path("join/<str:token>/declined/", declined, name="join-declined"),
    path("rate/<slug:slug>/", RateView.as_view(), name="rate"),
    path("rate/<slug:slug>/<int:pk>/", AssignmentView.as_view(), name="rate-assignment"),
    path("rate/<slug:slug>/<int:pk>/feedback/", FeedbackView.as_view(), name="rate-feedback"),
    path("rate/<slug:slug>/background/<int:number>/", BackgroundView.as_view(), name="rate-background"),
    path("rate/<slug:slug>/qualification/", QualificationView.as_view(), name="rate-qualification"),
    path("rate/<slug:slug>/qualification/notes/", NotesView.as_view(), name="rate-notes"),
    path("rate/<slug:slug>/more/", MoreView.as_view(), name="rate-more"),
    path("rate/<slug:slug>/guide/", GuideView.as_view(), name="rate-guide"),
    path("rate/<slug:slug>/pause/", PauseView.as_view(), name="rate-pause"),
    path("rate/<slug:slug>/withdraw/", WithdrawView.as_view(), name="rate-withdraw"),
    path("rate/<slug:slug>/consent/", ConsentView.as_view(), name="rate-consent"),
    path("rate/<slug:slug>/about-you/", AboutYouView.as_view(), name="rate-about-you"),
]

study_urls: list[URLPattern] = [
    path("tokens/", api_tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", api_tokens.revoke, name="token-revoke"),
    path("studies/new/", new_study, name="study-new"),
    path("studies/new/definition/", definition.from_definition, name="study-new-definition"),
    path("studies/<slug:slug>/", overview.overview, name="study"),
    path("studies/<slug:slug>/state/", overview.state, name="study-state"),
    path("studies/<slug:slug>/items/", overview.items, name="study-items"),
    path("studies/<slug:slug>/raters/review/", review.review, name="study-review"),
    path("studies/<slug:slug>/raters/<str:code>/", review.rater, name="study-rater"),
    path("studies/<slug:slug>/raters/<str:code>/exclude/", review.exclude, name="study-rater-exclude"),
    path("studies/<slug:slug>/qualification/", qualification.qualification, name="study-qualification"),
    path(
        "studies/<slug:slug>/qualification/pages/<int:pk>/",
        qualification.background_page,
        name="study-background-page",
    ),
    path(
        "studies/<slug:slug>/qualification/items/<int:pk>/",
        qualification.calibration_item,
        name="study-calibration-item",
    ),
    path("studies/<slug:slug>/qualification/trials/", calibration.trials, name="study-trials"),
    path("studies/<slug:slug>/qualification/trials/<int:pk>/", calibration.decide_trial, name="study-trial"),
    path("studies/<slug:slug>/qualification/round/", calibration.group_round, name="study-calibration-round"),
    path("studies/<slug:slug>/adjudication/", queue.queue, name="study-adjudication"),
    path("studies/<slug:slug>/adjudication/search/", queue.search, name="study-dispute-search"),
    path("studies/<slug:slug>/adjudication/send/", queue.send, name="study-adjudication-send"),
    path("studies/<slug:slug>/adjudication/display/", queue.display, name="study-adjudication-display"),
    path("studies/<slug:slug>/adjudication/<int:pk>/", case, name="study-case"),
    path("studies/<slug:slug>/adjudication/<int:pk>/comments/", discuss, name="study-case-discuss"),
    path("studies/<slug:slug>/adjudication/<int:pk>/withdraw/", withdraw, name="study-case-withdraw"),
    path("studies/<slug:slug>/adjudication/<int:pk>/put-back/", back, name="study-case-put-back"),
    path("studies/<slug:slug>/exports/", exports.exports, name="study-exports"),
    path("studies/<slug:slug>/exclusions/<int:pk>/replacement/", review.replace, name="study-replace"),
    path("studies/<slug:slug>/exports/platform-ids/", exports.platform_ids, name="study-platform-ids"),
    path("studies/<slug:slug>/exports/<str:what>/", exports.download, name="study-download"),
    path("studies/<slug:slug>/pay/", pay.pay_and_time, name="study-pay"),
    path("studies/<slug:slug>/pay/bonus/", pay.bonus, name="study-bonus"),
    path("studies/<slug:slug>/pay/bonuses/", pay.bonus_list, name="study-bonus-list"),
    path("studies/<slug:slug>/settings/", settings.settings, name="study-settings"),
    path("studies/<slug:slug>/settings/links/", settings.new_link, name="study-new-link"),
    path("studies/<slug:slug>/settings/links/<int:pk>/", settings.revoke_link, name="study-revoke-link"),
    path("studies/<slug:slug>/settings/members/", settings.member, name="study-member"),
    path(
        "studies/<slug:slug>/settings/members/<int:pk>/", settings.former_member, name="study-former-member"
    ),
    path("studies/<slug:slug>/settings/texts/", draft.texts, name="study-texts"),
    path("studies/<slug:slug>/settings/design/", preview, name="study-design"),
    path("studies/<slug:slug>/settings/caps/", more_for_each, name="study-raise-caps"),
    path("studies/<slug:slug>/settings/more/", collect_more, name="study-collect-more"),
    path("studies/<slug:slug>/settings/checks/", checks.checks, name="study-checks"),
    path("studies/<slug:slug>/settings/checks/<slug:key>/", checks.delete, name="study-check-delete"),
    path("studies/<slug:slug>/settings/consent/", consent, name="study-consent"),
    path("studies/<slug:slug>/settings/contact/", settings.contact, name="study-contact"),
    path("studies/<slug:slug>/settings/questions/", demographics.questions, name="study-questions"),
    path(
        "studies/<slug:slug>/settings/questions/<slug:key>/",
        demographics.delete,
        name="study-question-delete",
    ),
    path("studies/<slug:slug>/settings/forms/", form_editor.forms, name="study-forms"),
    path("studies/<slug:slug>/settings/forms/new/", form_editor.new_form_page, name="study-form-new"),
    path("studies/<slug:slug>/settings/forms/<slug:key>/", form_editor.form_page, name="study-form"),
    path("studies/<slug:slug>/settings/forms/<slug:key>/stage/", stages.stage, name="study-form-stage"),
    path("studies/<slug:slug>/settings/forms/<slug:key>/place/", form_editor.place, name="study-form-place"),
    path("studies/<slug:slug>/settings/webhooks/", webhooks.webhooks, name="study-webhooks"),
    path("studies/<slug:slug>/settings/webhooks/<int:pk>/", webhooks.remove, name="study-webhook-remove"),
    path("studies/<slug:slug>/definition/", definition.definition, name="study-definition"),
    path(
        "studies/<slug:slug>/definition/<str:file_format>/",
        definition.download,
        name="study-definition-download",
    ),
    path("studies/<slug:slug>/settings/delete/", draft.delete, name="study-delete"),
    path("studies/<slug:slug>/jobs/", jobs.jobs, name="study-jobs"),
    path("studies/<slug:slug>/audit/", audit, name="study-audit"),
    path("studies/<slug:slug>/audit/entries.<str:file_format>", audit_download, name="study-audit-download"),
    path("studies/<slug:slug>/contacts/", exports.contacts, name="study-contacts"),
    path("studies/<slug:slug>/settings/import/", import_file, name="study-import"),
    path("studies/<slug:slug>/settings/import/<int:pk>/", item_files.columns, name="study-import-file"),
    path(
        "studies/<slug:slug>/settings/import/<int:pk>/problems/",
        item_files.problems_file,
        name="study-import-problems",
    ),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.cancel_job, name="job-cancel"),
]

urlpatterns = [*rating_urls, *study_urls]
