"""`/site/accounts/<pk>/delete/`: the new owner of an account's studies, and its deletion."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.domain.base.errors import GroundworkError
from annotation.forms.accounts import DeleteAccountForm
from annotation.models import User
from annotation.selectors.people.site_accounts import accounts, studies_without_another_owner
from annotation.services.studies import account_deletion
from annotation.templatetags.rater_words import translated
from annotation.views.base.page import site_page


@site_page("GET", "POST")
def delete_account(request: HttpRequest, administrator: User, pk: int) -> HttpResponse:
    user = get_object_or_404(accounts(), pk=pk)
    n_studies = studies_without_another_owner(user).count()
    sent = request.POST if request.method == "POST" else None
    form = DeleteAccountForm(sent, account=user, owns_studies=n_studies > 0)
    if form.is_bound and form.is_valid():
        try:
            account_deletion.delete_account(
                user=user, new_owner=form.cleaned_data.get("new_owner"), actor=administrator
            )
        except GroundworkError as refusal:
            form.add_error(None, translated(refusal.message))
        else:
            messages.success(request, _("Account deleted."))
            return redirect("site-accounts")
    context = {"tab": "accounts", "account": user, "form": form, "n_studies": n_studies}
    return render(
        request, "annotation/people/delete_account.html", context, status=422 if form.errors else 200
    )
