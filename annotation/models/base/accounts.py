"""Accounts, members of a study, raters and the links that invite them."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q

from annotation.domain.base.platforms import Platform
from annotation.domain.base.sealing import Purpose, digest_of
from annotation.domain.base.states import RaterState, Role, choices
from annotation.models.base.sealed import sealed, sealed_column, unsealed


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_site_administrator=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """An account. Its rights are per study, from a Membership or as a Rater.

    A site administrator manages accounts and the installation, and has no rights in studies.
    Sessions that began before `sessions_ended` was raised have ended. The row of a deleted account remains
    without personal data, so that log entries and decisions of one person stay linked.
    """

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150, blank=True)
    is_active = models.BooleanField(default=True)
    is_site_administrator = models.BooleanField(default=False)
    sessions_ended = models.PositiveIntegerField(default=0)
    date_joined = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = UserManager()

    def __str__(self) -> str:
        return self.name or self.email

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """The value that Django compares a session with: password and number of times all sessions ended."""
        session_hash = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        return f"{session_hash}-{self.sessions_ended}" if self.sessions_ended else str(session_hash)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Revoke the tokens of API sign-ins; a new password ends them like browser sessions."""
        # Django deletes `_password` before it renews the hash of an unchanged password.
        renewed = self._password is not None  # type: ignore[attr-defined]
        super().save(*args, **kwargs)
        if renewed:
            self.api_tokens.all().delete()


class Membership(models.Model):
    """The role of a user in a study.

    With `declares_rules`, a researcher declares, applies and lifts exclusion rules, as admins and owners do.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(
        max_length=12, choices=[(role.value, role.value) for role in Role if role is not Role.RATER]
    )
    declares_rules = models.BooleanField(default=False)
    # The member hides the study in the list of studies.
    archived = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="one_role_per_member"),
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in Role if role is not Role.RATER]),
                name="member_role_known",
            ),
            models.CheckConstraint(
                condition=Q(declares_rules=False) | Q(role=Role.RESEARCHER.value),
                name="rules_are_a_right_of_researchers",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} is {self.role} of {self.study_id}"


class RaterKind(models.TextChoices):
    PERSON = "person"
    SLOT = "slot"
    TRIAL = "trial"


class Rater(models.Model):
    """A person in one study (an enrolment). The same account in two studies is two raters.

    `join_key` identifies the page on which consent was given, so that sending it twice joins once.
    `panel` is the form of a panel's rater. `extra` is the number of items requested beyond the limit.
    `consented_at` is the time of the first consent, `consent_number` the last accepted version of the
    consent form; `described_at` is the time of the answer to the demographic questions, or of declining.
    `pages_read` is the number of background pages read. Since `messages_stopped_at` the rater wants no
    messages.
    A `slot` is "rating 1, 2, 3 of this item" by unknown persons; a `trial` is the preview of a member, whose
    answers are never counted. `is_excluded` is set on a locked row only.
    """

    is_excluded: bool

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="raters")
    code = models.CharField(max_length=64)
    kind = models.CharField(max_length=8, choices=RaterKind.choices, default=RaterKind.PERSON)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="raters")
    state = models.CharField(max_length=12, choices=choices(RaterState), default=RaterState.INVITED.value)
    simulated = models.BooleanField(default=False)
    seed = models.PositiveIntegerField(default=0)
    target = models.PositiveIntegerField(null=True, blank=True)
    panel = models.ForeignKey(
        "annotation.Form", on_delete=models.PROTECT, null=True, blank=True, related_name="panel"
    )
    extra = models.PositiveIntegerField(default=0)
    pages_read = models.PositiveSmallIntegerField(default=0)
    join_key = models.UUIDField(null=True, blank=True, unique=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_number = models.PositiveSmallIntegerField(default=0)
    described_at = models.DateTimeField(null=True, blank=True)
    came_by = models.ForeignKey(
        "annotation.Invitation", on_delete=models.SET_NULL, null=True, blank=True, related_name="joined"
    )
    finished_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    messages_stopped_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "code"]
        constraints = [
            models.UniqueConstraint(fields=["study", "code"], name="one_code_per_rater"),
            models.UniqueConstraint(
                fields=["study", "user"], condition=Q(user__isnull=False), name="one_rater_per_login"
            ),
        ]

    def __str__(self) -> str:
        return self.code


def new_token() -> str:
    return secrets.token_urlsafe(24)


class Invitation(models.Model):
    """A link to a study: personal if it has a rater, otherwise open to anyone with the link.

    It is found by the digest of its token, and shown again from the encrypted token.
    `person_hash` is a keyed hash of the person of a list, if a personal link was created for one.
    `cap` is the maximum number of raters. After `expires_at`, and while `paused_at` is set, no new rater can
    join. A platform link identifies raters by parameters of its address, and
    has a code or a return address for each outcome: finished (`completion_*`), screened out (`screenout_*`),
    no consent (`no_consent_*`), or at least `failed_checks_from` failed attention checks
    (`failed_checks_*`).
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.CASCADE, related_name="invitations")
    rater = models.OneToOneField(
        Rater, on_delete=models.CASCADE, null=True, blank=True, related_name="invitation"
    )
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    sealed_token = sealed_column()
    label = models.CharField(max_length=120, blank=True)
    person_hash = models.CharField(max_length=64, blank=True, editable=False)
    cap = models.PositiveIntegerField(null=True, blank=True)
    panel = models.ForeignKey(
        "annotation.Form", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    platform = models.CharField(max_length=8, choices=choices(Platform), default=Platform.NONE.value)
    person_param = models.CharField(max_length=60, blank=True)
    task_param = models.CharField(max_length=60, blank=True)
    session_param = models.CharField(max_length=60, blank=True)
    completion_code = models.CharField(max_length=60, blank=True)
    screenout_code = models.CharField(max_length=60, blank=True)
    no_consent_code = models.CharField(max_length=60, blank=True)
    failed_checks_code = models.CharField(max_length=60, blank=True)
    failed_checks_from = models.PositiveSmallIntegerField(null=True, blank=True)
    completion_url = models.CharField(max_length=500, blank=True)
    screenout_url = models.CharField(max_length=500, blank=True)
    no_consent_url = models.CharField(max_length=500, blank=True)
    failed_checks_url = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.label or f"invitation {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.token_digest:
            self.token = new_token()
        super().save(*args, **kwargs)

    @property
    def token(self) -> str:
        """The end of the link; empty if the keys of this installation do not decrypt it."""
        return unsealed(self.sealed_token, Purpose.LINK)

    @token.setter
    def token(self, token: str) -> None:
        self.token_digest, self.sealed_token = digest_of(token), sealed(token, Purpose.LINK)


class PlatformIdentity(models.Model):
    """The IDs of a rater on a crowd platform, stored separately and exported only on request.

    At `erased_at` the IDs were deleted; `person` is a keyed hash since then.
    """

    rater = models.OneToOneField(Rater, on_delete=models.CASCADE, related_name="identity")
    study = models.ForeignKey("annotation.Study", on_delete=models.CASCADE, related_name="identities")
    invitation = models.ForeignKey(Invitation, on_delete=models.PROTECT, related_name="identities")
    platform = models.CharField(max_length=8, choices=choices(Platform))
    person = models.CharField(max_length=120)
    task = models.CharField(max_length=120, blank=True)
    session = models.CharField(max_length=120, blank=True)
    submit_to = models.CharField(max_length=200, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "platform identities"
        constraints = [
            models.UniqueConstraint(fields=["study", "platform", "person"], name="one_rater_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.platform} identity of rater {self.rater_id}"
