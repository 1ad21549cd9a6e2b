"""Create the demo study unless it exists."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from annotation.management.site_address import on_this_site
from annotation.serving.demo_access import open_demo


class Command(BaseCommand):
    help = "Create the demo study and its accounts; existing ones stay unchanged."

    def handle(self, *args: Any, **options: Any) -> None:
        demo = open_demo(bind="localhost")
        token = demo.invitation_token
        invitation = on_this_site(reverse("join", args=[token])) if token else "(every link was revoked)"
        self.stdout.write(f"study {demo.study_slug}, invitation {invitation}")
        for email, password in sorted(demo.passwords.items()):
            self.stdout.write(f"{email}  password: {password or '(the one that was chosen)'}")
