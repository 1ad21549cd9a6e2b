"""Make the demo study, or find that it is there."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from annotation.services.studies.demo import ensure_demo, ensure_demo_scores


class Command(BaseCommand):
    help = "Make the demo study and its log-ins; what is there stays as it is."

    def handle(self, *args: Any, **options: Any) -> None:
        demo = ensure_demo()
        ensure_demo_scores()
        self.stdout.write(f"study {demo.study_slug}, invitation {_invitation(demo.invitation_token)}")
        for email in (demo.owner_email, demo.admin_email, demo.researcher_email):
            self.stdout.write(f"{email}  password: {demo.password}")


def _invitation(token: str) -> str:
    """The link, whole where the settings name an address of the web server."""
    path = reverse("join", args=[token])
    known = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if "*" not in origin]
    if known:
        return known[0].rstrip("/") + path
    return f"{path} at the address of the web server (GROUNDWORK_ORIGINS names none)"
