"""Addresses of the collecting side."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from annotation.domain.pay.crowd import OFFERS
from annotation.views.adjudication import queue
from annotation.views.adjudication.case import back, case, discuss, second, withdraw
from annotation.views.adjudication.case_media import case_media
from annotation.views.base import api_tokens, jobs, uploads, webhooks
from annotation.views.base.audit import audit
from annotation.views.base.audit import download as audit_download
from annotation.views.base.display import set_display
from annotation.views.base.help import help_page
from annotation.views.base.site.csp_reports import csp_report
from annotation.views.base.site.site_log import site_log
from annotation.views.base.site.system import system
from annotation.views.items import descriptions
from annotation.views.items.imports import import_file, remove_all
from annotation.views.items.media.files import change_media, media_file, media_files
from annotation.views.pay import crowd, pay, payments
from annotation.views.people import demographics, links, members, notifications, rater_messages, site_accounts
from annotation.views.people.consent import consent
from annotation.views.people.personal_data import personal_data as retention
from annotation.views.quality import calibration, checks, qualification, review
from annotation.views.rating import personal_data
from annotation.views.rating.before_rating import AboutYouView, ConsentView
from annotation.views.rating.join import JoinView, declined
from annotation.views.rating.media.loading import MediaView
from annotation.views.rating.practice import PracticeView
from annotation.views.rating.problems import ProblemView, resolve
from annotation.views.rating.qualifying import BackgroundView, FeedbackView, NotesView, QualificationView
from annotation.views.rating.rater_pages import GuideView, LinkView, PauseView, WithdrawView
from annotation.views.rating.rating import AheadView, AssignmentView, MoreView, RateView
from annotation.views.rating.stop_messages import stop_messages
from annotation.views.seats import item_changes, pairing, reserved_slots
from annotation.views.seats.prometheus import metrics
from annotation.views.studies import (
    definition,
    draft,
    form_editor,
    item_files,
    opening,
    overview,
    personal_files,
    settings,
)
from annotation.views.studies.account_deletion import delete_account
from annotation.views.studies.design import collect_more, more_for_each, preview
from annotation.views.studies.home import home, studies, studies_menu
from annotation.views.studies.new_study import new_study
from annotation.views.studies.texts import sets
from annotation.views.studies.translations import translations
from annotation.views.studies.try_rating import TryView

rating_urls: list[URLPattern] = [
    path("", home, name="home"),
    path("try/", TryView.as_view(), name="try-rating"),
    path("try/<int:number>/", TryView.as_view(), name="try-rating-item"),
    path("help/", help_page, name="help"),
    path("help/<path:address>/", help_page, name="help-page"),
    path("join/<str:token>/", JoinView.as_view(), name="join"),
    path("join/<str:token>/declined/", declined, name="join-declined"),
    path("rate/<slug:slug>/", RateView.as_view(), name="rate"),
    path("rate/<slug:slug>/<int:pk>/", AssignmentView.as_view(), name="rate-assignment"),
    path("rate/<slug:slug>/<int:pk>/ahead/", AheadView.as_view(), name="rate-ahead"),
    path("rate/<slug:slug>/media/<str:grant>/", MediaView.as_view(), name="rate-media"),
    path("rate/<slug:slug>/<int:pk>/feedback/", FeedbackView.as_view(), name="rate-feedback"),
    path("rate/<slug:slug>/<int:pk>/problem/", ProblemView.as_view(), name="rate-problem"),
    path("rate/<slug:slug>/background/<int:number>/", BackgroundView.as_view(), name="rate-background"),
    path("rate/<slug:slug>/qualification/", QualificationView.as_view(), name="rate-qualification"),
    path("rate/<slug:slug>/qualification/notes/", NotesView.as_view(), name="rate-notes"),
    path("rate/<slug:slug>/more/", MoreView.as_view(), name="rate-more"),
    path("rate/<slug:slug>/practice/", PracticeView.as_view(), name="rate-practice"),
    path("rate/<slug:slug>/guide/", GuideView.as_view(), name="rate-guide"),
    path("rate/<slug:slug>/pause/", PauseView.as_view(), name="rate-pause"),
    path("rate/<slug:slug>/link/", LinkView.as_view(), name="rate-link"),
    path("rate/<slug:slug>/withdraw/", WithdrawView.as_view(), name="rate-withdraw"),
    path("rate/<slug:slug>/my-data.json", personal_data.own_data, name="rate-my-data"),
    path("messages/stop/<str:token>/", stop_messages, name="stop-messages"),
    path("rate/<slug:slug>/consent/", ConsentView.as_view(), name="rate-consent"),
    path("rate/<slug:slug>/about-you/", AboutYouView.as_view(), name="rate-about-you"),
]

# Below `studies/<study>/`.
study_urls: list[URLPattern] = [
    path("", overview.overview, name="study"),
    path("open/", opening.check_and_open, name="study-open"),
    path("state/", settings.state, name="study-state"),
    path("items/", overview.items, name="study-items"),
    path("problems/<int:pk>/", resolve, name="study-problem"),
    path("raters/review/", review.review, name="study-review"),
    path("raters/decide/", review.decide, name="study-raters-decide"),
    path("reserved-slots/", reserved_slots.release, name="study-release-slots"),
    path("messages/", rater_messages.rater_messages, name="study-messages"),
    path("messages/new/", rater_messages.new_message, name="study-message-new"),
    path("messages/<int:number>/", rater_messages.message, name="study-message"),
    path("messages/<int:number>/platform-ids/", rater_messages.listed, name="study-message-listed"),
    path("settings/last-items/", reserved_slots.last_items, name="study-last-items"),
    path("raters/<str:code>/exclude/", review.exclude, name="study-rater-exclude"),
    path("raters/<str:code>/keep/", review.keep, name="study-rater-keep"),
    path("raters/<str:code>/personal-data/", personal_data.rater_data, name="study-rater-data"),
    path("raters/<str:code>/personal-data.json", personal_data.rater_file, name="study-rater-file"),
    path("raters/<str:code>/erase/", personal_data.erase, name="study-rater-erase"),
    path("qualification/", qualification.qualification, name="study-qualification"),
    path("qualification/pages/<int:pk>/", qualification.background_page, name="study-background-page"),
    path("qualification/items/<int:pk>/", qualification.calibration_item, name="study-calibration-item"),
    path("qualification/trials/", calibration.trials, name="study-trials"),
    path("qualification/trials/<int:pk>/", calibration.decide_trial, name="study-trial"),
    path("qualification/round/", calibration.group_round, name="study-calibration-round"),
    path("adjudication/", queue.queue, name="study-adjudication"),
    path("adjudication/search/", queue.search, name="study-dispute-search"),
    path("adjudication/assign/", queue.assign, name="study-adjudication-assign"),
    path("adjudication/withdraw/", queue.remove, name="study-adjudication-withdraw"),
    path("adjudication/send/", queue.send, name="study-adjudication-send"),
    path("adjudication/display/", queue.display, name="study-adjudication-display"),
    path("adjudication/<int:pk>/", case, name="study-case"),
    path("adjudication/<int:pk>/media/<int:file>/", case_media, name="study-case-media"),
    path("adjudication/<int:pk>/comments/", discuss, name="study-case-discuss"),
    path("adjudication/<int:pk>/withdraw/", withdraw, name="study-case-withdraw"),
    path("adjudication/<int:pk>/put-back/", back, name="study-case-put-back"),
    path("adjudication/<int:pk>/second-opinion/", second, name="study-case-second"),
    path("exclusions/<int:pk>/replacement/", review.replace, name="study-replace"),
    path("exports/platform-ids/", personal_files.platform_ids, name="study-platform-ids"),
    path("pay/", pay.pay_and_time, name="study-pay"),
    path("pay/bonus/", pay.bonus, name="study-bonus"),
    path("pay/budget/", pay.budget, name="study-budget"),
    path("pay/lists/", pay.make_list, name="study-payment-lists"),
    path("pay/lists/<int:number>/", payments.payment_list, name="study-payment-list"),
    path("pay/lists/<int:number>/file/", payments.payment_file, name="study-payment-file"),
    path("pay/lists/<int:number>/results/", payments.results, name="study-payment-results"),
    path("pay/outside/", pay.outside, name="study-outside-payment"),
    path("pay/payments/<int:pk>/", payments.payment, name="study-payment"),
    path("settings/", settings.settings, name="study-settings"),
    path("settings/links/", links.links, name="study-links"),
    path("settings/links/personal/", links.personal, name="study-personal-links"),
    path("settings/links/<int:pk>/change/", links.change, name="study-change-link"),
    path("settings/links/<int:pk>/", links.revoke_link, name="study-revoke-link"),
    path("settings/links/<int:pk>/replace/", links.new_address, name="study-replace-link"),
    path("settings/media/", media_files, name="study-media"),
    path("settings/media/<int:pk>/", media_file, name="study-media-file"),
    path("settings/media/<int:pk>/change/", change_media, name="study-change-media"),
    path("settings/members/", members.members, name="study-members"),
    path("archive/", members.archive, name="study-archive"),
    path("settings/members/<int:pk>/", members.former_member, name="study-former-member"),
    path("settings/texts/", draft.texts, name="study-texts"),
    path("settings/translations/", translations, name="study-translations"),
    path("settings/design/", preview, name="study-design"),
    path("settings/caps/", more_for_each, name="study-raise-caps"),
    path("settings/more/", collect_more, name="study-collect-more"),
    path("settings/checks/", checks.checks, name="study-checks"),
    path("settings/checks/<slug:key>/", checks.delete, name="study-check-delete"),
    path("settings/checks/<slug:key>/change/", checks.edit, name="study-check"),
    path("settings/consent/", consent, name="study-consent"),
    path("settings/personal-data/", retention, name="study-personal-data"),
    path("settings/contact/", settings.contact, name="study-contact"),
    path("settings/pilot-raters/", settings.pilot_raters, name="study-pilot-raters"),
    path("settings/pilot-pooling/", settings.pilot_pooling, name="study-pilot-pooling"),
    path("settings/questions/", demographics.questions, name="study-questions"),
    path("settings/questions/<slug:key>/", demographics.delete, name="study-question-delete"),
    path("settings/forms/", form_editor.forms, name="study-forms"),
    path("settings/forms/new/", form_editor.new_form_page, name="study-form-new"),
    path("settings/forms/<slug:key>/", form_editor.form_page, name="study-form"),
    path("settings/forms/<slug:key>/stage/", form_editor.stage, name="study-form-stage"),
    path("settings/forms/<slug:key>/pairs/", pairing.pairs, name="study-form-pairs"),
    path("settings/forms/<slug:key>/versions/", form_editor.versions, name="study-form-versions"),
    path("settings/forms/<slug:key>/place/", form_editor.place, name="study-form-place"),
    path("settings/notifications/", notifications.notifications, name="study-notifications"),
    *[
        path(f"settings/{one.value}/{below}", view, {"platform": one}, name=f"study-{one.value}{end}")
        for one in OFFERS
        for below, view, end in (("", crowd.outside, ""), ("submissions/", crowd.submissions, "-submissions"))
    ],
    path("settings/webhooks/", webhooks.webhooks, name="study-webhooks"),
    path("settings/webhooks/<int:pk>/", webhooks.remove, name="study-webhook-remove"),
    path("settings/webhooks/<int:pk>/secret/", webhooks.new_secret, name="study-webhook-secret"),
    path("definition/", definition.definition, name="study-definition"),
    path("definition/<str:file_format>/", definition.download, name="study-definition-download"),
    path("settings/delete/", draft.delete, name="study-delete"),
    path("jobs/", jobs.jobs, name="study-jobs"),
    path("audit/", audit, name="study-audit"),
    path("audit/entries.<str:file_format>", audit_download, name="study-audit-download"),
    path("contacts/", personal_files.contacts, name="study-contacts"),
    path("settings/items/", item_changes.change, name="study-change-items"),
    path("settings/items/<path:key>/", descriptions.describe, name="study-describe-item"),
    path("settings/draft-items/<path:key>/", descriptions.draft_item, name="study-draft-item"),
    path("settings/import/", import_file, name="study-import"),
    path("settings/sets/", sets.draw, name="study-sets"),
    path("settings/import/remove/", remove_all, name="study-remove-items"),
    path("settings/import/<int:pk>/", item_files.columns, name="study-import-file"),
    path("settings/import/<int:pk>/problems/", item_files.problems_file, name="study-import-problems"),
]

# For site administrators, below `site/`.
site_urls: list[URLPattern] = [
    path("accounts/", site_accounts.accounts, name="site-accounts"),
    path("accounts/<int:pk>/", site_accounts.account, name="site-account"),
    path("accounts/<int:pk>/delete/", delete_account, name="site-account-delete"),
    path("log/", site_log, name="site-log"),
]


urlpatterns: list[URLPattern | URLResolver] = [
    *rating_urls,
    path("site/", include(site_urls)),
    path("uploads/<int:pk>/stop/", uploads.stop, name="upload-stop"),
    path("uploads/<int:pk>/dismiss/", uploads.dismiss, name="upload-dismiss"),
    path("tokens/", api_tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", api_tokens.revoke, name="token-revoke"),
    path("menu/studies/", studies_menu, name="studies-menu"),
    path("studies/", studies, name="studies"),
    path("studies/new/", new_study, name="study-new"),
    path("studies/new/definition/", definition.from_definition, name="study-new-definition"),
    path("studies/<slug:slug>/", include(study_urls)),
    path("site/system/", system, name="site-system"),
    path("metrics", metrics, name="metrics"),
    path("csp-report/", csp_report, name="csp-report"),
    path("display/", set_display, name="set-display"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.cancel_job, name="job-cancel"),
]
