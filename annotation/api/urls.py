"""Addresses of the API on the collecting side, under `/api/v1/`."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.api.adjudication import cases, queue
from annotation.api.items import annotated_files, item_files, items, ratings
from annotation.api.pay import pay
from annotation.api.people import contact, scoped_tokens, tokens
from annotation.api.rating import before_rating, join, qualifying, rate
from annotation.api.studies import definitions, raters, studies, webhooks

urlpatterns: list[URLPattern] = [
    path("auth/token/", tokens.TokenView.as_view(), name="api_token"),
    path("auth/tokens/", scoped_tokens.TokensView.as_view(), name="api_tokens"),
    path("auth/tokens/<int:pk>/", scoped_tokens.ScopedTokenView.as_view(), name="api_scoped_token"),
    path("studies/", studies.StudiesView.as_view(), name="api_studies"),
    path("studies/<slug:slug>/", studies.StudyView.as_view(), name="api_study"),
    path("study-definitions/", definitions.DefinitionsView.as_view(), name="api_definitions"),
    path(
        "study-definitions/schema/", definitions.DefinitionSchemaView.as_view(), name="api_definition_schema"
    ),
    path("studies/<slug:slug>/definition/", definitions.DefinitionView.as_view(), name="api_definition"),
    path("studies/<slug:slug>/copy/", definitions.CopyView.as_view(), name="api_copy"),
    path("studies/<slug:slug>/state/", studies.StateView.as_view(), name="api_state"),
    path("studies/<slug:slug>/consent/", studies.ConsentTextsView.as_view(), name="api_consent"),
    path("studies/<slug:slug>/items/", items.ItemsView.as_view(), name="api_items"),
    path("studies/<slug:slug>/items/<path:key>/", items.ItemView.as_view(), name="api_item"),
    path("studies/<slug:slug>/imports/", item_files.ImportsView.as_view(), name="api_imports"),
    path(
        "studies/<slug:slug>/imports/tuples/",
        annotated_files.TuplesFileView.as_view(),
        name="api_import_tuples",
    ),
    path(
        "studies/<slug:slug>/imports/probing/",
        annotated_files.ProbingFileView.as_view(),
        name="api_import_probing",
    ),
    path("studies/<slug:slug>/imports/<int:pk>/", item_files.ImportView.as_view(), name="api_import"),
    path("studies/<slug:slug>/ratings/", ratings.RatingsView.as_view(), name="api_ratings"),
    path("studies/<slug:slug>/raters/", raters.RatersView.as_view(), name="api_raters"),
    path("studies/<slug:slug>/invitations/", raters.InvitationsView.as_view(), name="api_invitations"),
    path("studies/<slug:slug>/adjudication/", queue.CasesView.as_view(), name="api_cases"),
    path("studies/<slug:slug>/adjudication/search/", queue.SearchView.as_view(), name="api_dispute_search"),
    path("studies/<slug:slug>/adjudication/<int:pk>/", cases.CaseView.as_view(), name="api_case"),
    path(
        "studies/<slug:slug>/adjudication/<int:pk>/decision/",
        cases.DecisionView.as_view(),
        name="api_case_decision",
    ),
    path(
        "studies/<slug:slug>/adjudication/<int:pk>/comments/",
        cases.CommentsView.as_view(),
        name="api_case_comments",
    ),
    path(
        "studies/<slug:slug>/adjudication/<int:pk>/withdraw/",
        cases.WithdrawView.as_view(),
        name="api_case_withdraw",
    ),
    path(
        "studies/<slug:slug>/adjudication/<int:pk>/put-back/",
        cases.PutBackView.as_view(),
        name="api_case_put_back",
    ),
    path("studies/<slug:slug>/webhooks/", webhooks.WebhooksView.as_view(), name="api_webhooks"),
    path("studies/<slug:slug>/webhooks/<int:pk>/", webhooks.WebhookView.as_view(), name="api_webhook"),
    path("studies/<slug:slug>/contact/", contact.ContactView.as_view(), name="api_contact"),
    path("studies/<slug:slug>/pay/", pay.PayView.as_view(), name="api_pay"),
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
    path("rate/<slug:slug>/<int:pk>/", rate.AssignmentView.as_view(), name="api_rate_assignment"),
]
