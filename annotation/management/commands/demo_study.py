"""`manage.py demo_study PROTOCOL --owner EMAIL [--open]`: a protocol with the project's own items."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from annotation.domain.base.states import StudyState
from annotation.management.studies import all_or_nothing
from annotation.models import Invitation, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.people.contact import set_contact
from annotation.services.people.invitations import invite
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state


class Command(BaseCommand):
    help = (
        "Create a draft study from a protocol with demo items; --open opens it and prints an invitation link."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("protocol", choices=list(TEMPLATES))
        parser.add_argument("--owner", required=True, metavar="EMAIL", help="email of the owner")
        parser.add_argument("--slug", default="", help="default: demo- followed by the protocol")
        parser.add_argument("--open", action="store_true", help="open it for raters")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(email__iexact=options["owner"]).first()
        slug = options["slug"] or f"demo-{options['protocol'].replace('_', '-')}"
        if owner is None:
            raise CommandError(
                f"There is no account {options['owner']!r}. Create it with add_user.", returncode=2
            )
        if Study.objects.filter(slug=slug).exists():
            raise CommandError(f"The study {slug!r} already exists. Choose another --slug.", returncode=2)
        with all_or_nothing(), transaction.atomic():
            study, invitation = _make(options["protocol"], slug, owner, opened=options["open"])
        summary = f"study {study.slug}, {study.items.count()} items, {study.state}"
        self.stdout.write(summary + (f", invitation /join/{invitation.token}/" if invitation else ""))


def _make(protocol: str, slug: str, owner: User, *, opened: bool) -> tuple[Study, Invitation | None]:
    template = TEMPLATES[protocol]
    study = create_demo_study(template=template, slug=slug, title=template.title, owner=owner)
    # Pages ask raters to quote their code when they write to the contact.
    set_contact(study=study, actor=owner, contact=owner.email)
    if not opened:
        return study, None
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    return study, invite(study=study, actor=owner, label="Everybody")
