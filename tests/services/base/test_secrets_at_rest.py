"""No secret can be read from the database alone; with the key those are shown again that must be."""

from __future__ import annotations

import io

import pytest
from allauth.account.forms import default_token_generator
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.utils import decrypt
from django.core import serializers
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.platforms import Entry, Platform
from annotation.domain.base.sealing import Purpose, Unreadable, digest_of, seal, unseal
from annotation.domain.base.states import StudyState
from annotation.models import ApiToken, AuditEntry, Invitation, Job, Study, Webhook, WebhookDelivery
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.studies.exports import TABLES
from annotation.services.base.key_rotation import reseal_secrets
from annotation.services.base.tokens import make_token, sign_in_token
from annotation.services.base.webhooks import add_webhook, replace_secret
from annotation.services.people.invitations import invite, replace_link
from annotation.services.rating.enrolment import consent, find_person
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_job
from tests.support.outside.second_factor import current_code
from tests.support.people import PASSWORD, Cast, invited, make_cast

pytestmark = pytest.mark.django_db
NEW_KEY = "the key after the first one, for tests only, 0123456789"
SIGN_IN = "/api/v1/auth/token/"


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2)


@pytest.fixture
def rotated(settings):
    """What happens when a new key is set, with the old one still accepted or not."""

    def rotate(*, accepted: bool) -> None:
        before, settings.SECRET_KEY = settings.SECRET_KEY, NEW_KEY
        settings.SECRET_KEY_FALLBACKS = [before] if accepted else []

    return rotate


def webhook_of(cast: Cast) -> Webhook:
    address = "https://example.org/told"
    return add_webhook(study=cast.study, actor=cast.users["owner"], address=address, events=["change_state"])


def in_the_database() -> str:
    rows = [*Invitation.objects.all(), *Webhook.objects.all(), *ApiToken.objects.all()]
    return str(serializers.serialize("json", [*rows, *Authenticator.objects.all()]))


def test_rows_hold_no_link_no_token_no_webhook_secret_and_no_second_factor(cast, settings):
    rater, webhook = consent(invitation=cast.invitation), webhook_of(cast)
    _, key = make_token(user=cast.users["owner"], name="a script", scopes=["read"])
    _, signed_in = sign_in_token(user=cast.users["owner"])
    factor = generate_totp_secret()
    TOTP.activate(cast.users["owner"], factor)
    seed = RecoveryCodes.activate(cast.users["owner"]).instance.data["seed"]
    stored = in_the_database()
    tokens = (cast.invitation.token, rater.invitation.token, webhook.secret, key, signed_in, factor)
    assert [secret for secret in tokens if secret in stored or not secret] == []
    assert unseal(seed, keys=[settings.SECRET_KEY], purpose=Purpose.SECOND_FACTOR)


def test_a_link_is_found_by_its_digest_and_two_links_are_never_the_same(cast):
    link = Invitation.objects.get(token_digest=digest_of(cast.invitation.token))
    assert link == cast.invitation
    twin = Invitation(study=cast.study)
    twin.token = cast.invitation.token
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_what_was_encrypted_as_one_thing_cannot_be_read_as_another():
    stored = seal("text", keys=["one"], purpose=Purpose.LINK)
    assert unseal(stored, keys=["two", "one"], purpose=Purpose.LINK) == "text"
    for keys, purpose in ((["one"], Purpose.WEBHOOK), (["two"], Purpose.LINK)):
        with pytest.raises(Unreadable):
            unseal(stored, keys=keys, purpose=purpose)


def test_without_the_key_links_work_and_are_not_shown_until_they_are_replaced(cast, rotated):
    rater = consent(invitation=cast.invitation)
    open_link, personal = cast.invitation.token, rater.invitation.token
    rotated(accepted=False)
    owner, browser = Client(), Client()
    owner.force_login(cast.users["owner"])
    page = owner.get(reverse("study-links", args=[cast.slug])).content.decode()
    assert "cannot be shown" in page
    assert open_link not in page
    assert browser.get(reverse("join", args=[open_link])).status_code == 200
    assert browser.get(reverse("join", args=[personal])).status_code == 302
    assert invited(personal).get(f"/api/v1/rate/{cast.slug}/next/").status_code == 200
    paused = browser.get(reverse("rate-pause", args=[cast.slug]))
    assert "it can no longer be shown here" in paused.content.decode()
    owner.post(reverse("study-replace-link", args=[cast.slug, cast.invitation.pk]))
    browser.post(reverse("rate-link", args=[cast.slug]))
    fresh = Invitation.objects.get(pk=cast.invitation.pk).token, Invitation.objects.get(rater=rater).token
    assert f"/join/{fresh[0]}/" in owner.get(reverse("study-links", args=[cast.slug])).content.decode()
    assert f"/join/{fresh[1]}/" in browser.get(reverse("rate-pause", args=[cast.slug])).content.decode()
    for old, new in zip((open_link, personal), fresh, strict=True):
        assert Client().get(reverse("join", args=[old])).status_code == 404
        assert Client().get(reverse("join", args=[new])).status_code in {200, 302}


def test_without_the_key_nothing_is_sent_to_a_webhook_until_its_secret_is_replaced(cast, rotated):
    webhook = webhook_of(cast)
    WebhookDelivery.objects.create(webhook=webhook, event="change_state", body="{}")
    job = Job.objects.create(
        study=cast.study, kind="webhook", params={"delivery": WebhookDelivery.objects.get().pk}
    )
    rotated(accepted=False)
    run_job(job.pk)
    assert "Replace the secret" in WebhookDelivery.objects.get().error
    secret = replace_secret(webhook=webhook, actor=cast.users["owner"]).secret
    assert Webhook.objects.get().secret == secret != ""


def test_without_the_key_no_code_passes_for_a_second_factor(cast, rotated):
    user, secret = cast.users["owner"], generate_totp_secret()
    TOTP.activate(user, secret)
    body = {"email": user.email, "password": PASSWORD, "code": current_code(secret)}
    rotated(accepted=False)
    for code in (current_code(secret), current_code("")):
        refused = APIClient().post(SIGN_IN, {**body, "code": code}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (401, "second_factor")


def rotate_secrets(*options: str) -> str:
    out = io.StringIO()
    call_command("rotate_secrets", *options, stdout=out)
    return out.getvalue()


def test_a_new_key_changes_nothing_while_the_old_one_is_accepted_nor_after(cast, rotated, settings):
    rater, webhook, user = consent(invitation=cast.invitation), webhook_of(cast), cast.users["owner"]
    links = cast.invitation.token, rater.invitation.token
    secret, factor = webhook.secret, generate_totp_secret()
    _, token = make_token(user=cast.users["admin"], name="a script", scopes=["read"])
    TOTP.activate(user, factor)
    member, browser = Client(), Client()
    member.force_login(user)
    reset = default_token_generator.make_token(user)
    browser.get(reverse("join", args=[links[1]]))
    rotated(accepted=True)

    def nothing_is_lost() -> None:
        shown = member.get(reverse("study-links", args=[cast.slug])).content.decode()
        assert f"/join/{links[0]}/" in shown
        assert f"/join/{links[1]}/" in browser.get(reverse("rate-pause", args=[cast.slug])).content.decode()
        assert Webhook.objects.get().secret == secret
        script = APIClient(HTTP_AUTHORIZATION=f"Token {token}")
        assert script.get("/api/v1/studies/").status_code == 200
        assert decrypt(Authenticator.objects.get(user=user).data["secret"]) == factor

    nothing_is_lost()
    assert default_token_generator.check_token(user, reset)
    assert "links: 3, 3 need the current key, 0 not readable with any key" in rotate_secrets("--check")
    output = rotate_secrets()
    assert "links: 3, 3 encrypted again" in output
    assert "The old keys are still accepted" in output
    settings.SECRET_KEY_FALLBACKS = []
    nothing_is_lost()
    assert not default_token_generator.check_token(user, reset)
    assert {one.renewed for one in reseal_secrets()} == {0}


def test_who_was_erased_is_known_again_while_the_old_key_is_accepted(cast, rotated):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="erase")
    link = invite(study=cast.study, actor=cast.users["admin"], platform=Platform.PROLIFIC)
    entry = Entry(platform=Platform.PROLIFIC, person="person-one", task="s", session="x")
    rater = consent(invitation=link, entry=entry)
    withdraw(rater=rater)
    rotated(accepted=True)
    assert find_person(study=cast.study, entry=entry) == rater


def test_the_command_names_what_no_key_opens_and_ends_with_a_status(cast, rotated):
    rotated(accepted=False)
    with pytest.raises(CommandError, match="SECRET_KEY_FALLBACKS") as caught:
        rotate_secrets("--check")
    assert caught.value.returncode == 1


def test_a_revoked_link_is_not_replaced(cast):
    cast.invitation.revoked_at = timezone.now()
    cast.invitation.save()
    with pytest.raises(NotAllowedNow) as caught:
        replace_link(invitation=cast.invitation, actor=cast.users["owner"])
    assert caught.value.code == "link_revoked"


def test_the_log_of_a_study_names_no_link_that_was_replaced(cast):
    old = cast.invitation.token
    new = replace_link(invitation=cast.invitation, actor=cast.users["owner"]).token
    detail = str(list(cast.study.audit.values_list("detail", flat=True)))
    assert old not in detail
    assert new not in detail


def test_no_export_no_job_no_message_and_no_log_entry_holds_a_secret(cast):
    webhook, owner = webhook_of(cast), cast.users["owner"]
    rater, client = consent(invitation=cast.invitation), cast.client("owner")
    _, key = make_token(user=owner, name="a script", scopes=["write"])
    replace_secret(webhook=webhook, actor=owner)
    change_state(study=cast.study, to=StudyState.PAUSED, actor=owner)
    texts = [str(list(model.objects.values_list())) for model in (AuditEntry, Job, WebhookDelivery)]
    for what in (*TABLES, *DOCUMENTS, "ratings"):
        answer = client.get(f"{cast.base}/exports/", {"what": what, "format": "csv"})
        texts.append(b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode())
    addresses = ("raters/", "webhooks/", "audit/", "", "definition/")
    texts += [client.get(f"{cast.base}/{address}").content.decode() for address in addresses]
    secrets = (cast.invitation.token, rater.invitation.token, webhook.secret, key)
    assert [secret for secret in secrets if not secret or any(secret in text for text in texts)] == []
    assert rater.code in "".join(texts)


@pytest.mark.parametrize("name", ["join", "join-declined"])
def test_a_page_whose_address_is_a_secret_is_cached_nowhere_and_its_address_sent_to_no_other_site(cast, name):
    answer = Client().get(reverse(name, args=[cast.invitation.token]))
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.headers["Referrer-Policy"] == "same-origin"
