"""Addresses of the API on the collecting side, under `/api/v1/`."""

from __future__ import annotations

from django.urls import URLPattern, path, register_converter

from annotation.api.adjudication import cases, queue
from annotation.api.base import uploads
from annotation.api.base.operations import study_path
from annotation.api.items import annotated_files, item_files, items, sets
from annotation.api.pay import crowd, pay, payment_sending, payments
from annotation.api.people import contact, members, notifications, rater_messages, scoped_tokens, tokens
from annotation.api.rating import before_rating, join, problems, qualifying, rate
from annotation.api.seats import item_changes, pair_rounds, reserved_slots
from annotation.api.studies import definitions, invitations, pilots, raters, studies, texts, webhooks

register_converter(crowd.CrowdPlatform, "crowd")

urlpatterns: list[URLPattern] = [
    path("auth/token/", tokens.TokenView.as_view(), name="api_token"),
    path("auth/tokens/", scoped_tokens.TokensView.as_view(), name="api_tokens"),
    path("auth/tokens/<int:pk>/", scoped_tokens.ScopedTokenView.as_view(), name="api_scoped_token"),
    path("studies/", studies.StudiesView.as_view(), name="api_studies"),
    study_path("", studies.StudyView, "api_study"),
    path("study-definitions/", definitions.DefinitionsView.as_view(), name="api_definitions"),
    path(
        "study-definitions/schema/", definitions.DefinitionSchemaView.as_view(), name="api_definition_schema"
    ),
    study_path("definition/", definitions.DefinitionView, "api_definition"),
    study_path("copy/", definitions.CopyView, "api_copy"),
    study_path("main-study/", pilots.MainStudyView, "api_main_study"),
    study_path("pilot/", pilots.PilotView, "api_pilot"),
    study_path("pilot/pooling/", pilots.PoolingView, "api_pilot_pooling"),
    study_path("archive/", studies.ArchiveView, "api_archive"),
    study_path("state/", studies.StateView, "api_state"),
    study_path("texts/", texts.OpenTextsView, "api_texts"),
    study_path("deletion/", studies.DeletionView, "api_deletion"),
    study_path("consent/", studies.ConsentTextsView, "api_consent"),
    study_path("items/", items.ItemsView, "api_items"),
    study_path("items/<path:key>/", items.ItemView, "api_item"),
    study_path("sets/", sets.SetsView, "api_sets"),
    study_path("item-changes/", item_changes.ItemChangesView, "api_item_changes"),
    study_path("imports/", item_files.ImportsView, "api_imports"),
    study_path("imports/errors/", annotated_files.ErrorsFileView, "api_import_errors"),
    study_path("imports/tuples/", annotated_files.TuplesFileView, "api_import_tuples"),
    study_path("imports/probing/", annotated_files.ProbingFileView, "api_import_probing"),
    study_path("imports/<int:pk>/", item_files.ImportView, "api_import"),
    study_path("ratings/", annotated_files.RatingsView, "api_ratings"),
    study_path("raters/", raters.RatersView, "api_raters"),
    study_path("reserved-slots/", reserved_slots.ReservedSlotsView, "api_reserved_slots"),
    study_path("pair-rounds/", pair_rounds.PairRoundsView, "api_pair_rounds"),
    study_path("last-items/", reserved_slots.LastItemsView, "api_last_items"),
    study_path("invitations/", invitations.InvitationsView, "api_invitations"),
    study_path("invitations/personal/", invitations.PersonalInvitationsView, "api_personal_invitations"),
    study_path("invitations/<int:pk>/", invitations.InvitationView, "api_invitation"),
    study_path("invitations/<int:pk>/revoke/", invitations.InvitationRevocationView, "api_invitation_revoke"),
    study_path("problems/", problems.ProblemsView, "api_problems"),
    study_path("problems/<int:pk>/resolve/", problems.ProblemResolutionView, "api_problem_resolve"),
    study_path("adjudication/", queue.CasesView, "api_cases"),
    study_path("adjudication/search/", queue.SearchView, "api_dispute_search"),
    study_path("adjudication/assignments/", queue.AssignmentsView, "api_case_assignments"),
    study_path("adjudication/<int:pk>/", cases.CaseView, "api_case"),
    study_path("adjudication/<int:pk>/decision/", cases.DecisionView, "api_case_decision"),
    study_path("adjudication/<int:pk>/comments/", cases.CommentsView, "api_case_comments"),
    study_path("adjudication/<int:pk>/withdraw/", cases.WithdrawView, "api_case_withdraw"),
    study_path("adjudication/<int:pk>/put-back/", cases.PutBackView, "api_case_put_back"),
    study_path("adjudication/<int:pk>/second-opinion/", cases.SecondOpinionView, "api_case_second_opinion"),
    study_path("webhooks/", webhooks.WebhooksView, "api_webhooks"),
    study_path("webhooks/<int:pk>/", webhooks.WebhookView, "api_webhook"),
    study_path("webhooks/<int:pk>/secret/", webhooks.WebhookSecretView, "api_webhook_secret"),
    study_path("members/", members.MembersView, "api_members"),
    study_path("members/<int:pk>/", members.MemberView, "api_member"),
    study_path("notifications/", notifications.NotificationsView, "api_notifications"),
    study_path("messages/", rater_messages.MessagesView, "api_messages"),
    study_path("messages/<int:number>/", rater_messages.MessageView, "api_message"),
    study_path("contact/", contact.ContactView, "api_contact"),
    study_path("pay/", pay.PayView, "api_pay"),
    study_path("pay/budget/", payments.BudgetView, "api_budget"),
    study_path("pay/lists/", payments.PaymentListsView, "api_payment_lists"),
    study_path("pay/lists/<int:number>/", payments.PaymentListView, "api_payment_list"),
    study_path("pay/lists/<int:number>/sending/", payment_sending.SendingView, "api_payment_sending"),
    study_path("prolific/drafts/", crowd.DraftsView, "api_prolific_drafts"),
    study_path("mturk/hits/", crowd.HitsView, "api_mturk_hits"),
    study_path("<crowd:platform>/", crowd.OutsideStudyView, "api_crowd_study"),
    study_path("<crowd:platform>/connection/", crowd.ConnectionView, "api_crowd_connection"),
    study_path("<crowd:platform>/reading/", crowd.ReadingView, "api_crowd_reading"),
    study_path("<crowd:platform>/submissions/", crowd.SubmissionsView, "api_crowd_submissions"),
    study_path("pay/payments/", payments.PaymentsView, "api_payments"),
    study_path("pay/payments/<uuid:key>/", payments.PaymentView, "api_payment"),
    path("uploads/<int:pk>/", uploads.UploadView.as_view(), name="api_upload"),
    path("join/<str:token>/", join.JoinView.as_view(), name="api_join"),
    path("rate/<slug:slug>/", rate.EnrolmentView.as_view(), name="api_rate"),
    path("rate/<slug:slug>/consent/", before_rating.ConsentView.as_view(), name="api_rate_consent"),
    path("rate/<slug:slug>/about-you/", before_rating.AboutYouView.as_view(), name="api_rate_about_you"),
    path("rate/<slug:slug>/next/", rate.NextView.as_view(), name="api_rate_next"),
    path("rate/<slug:slug>/answers/", rate.AnswersView.as_view(), name="api_rate_answers"),
    path("rate/<slug:slug>/withdraw/", rate.WithdrawView.as_view(), name="api_rate_withdraw"),
    path("rate/<slug:slug>/background/", qualifying.BackgroundView.as_view(), name="api_rate_background"),
    path(
        "rate/<slug:slug>/qualification/",
        qualifying.QualificationView.as_view(),
        name="api_rate_qualification",
    ),
    path("rate/<slug:slug>/qualification/notes/", qualifying.NotesView.as_view(), name="api_rate_notes"),
    path("rate/<slug:slug>/<int:pk>/problems/", problems.OwnProblemsView.as_view(), name="api_rate_problem"),
    path("rate/<slug:slug>/<int:pk>/", rate.AssignmentView.as_view(), name="api_rate_assignment"),
]
