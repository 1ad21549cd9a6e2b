"""`manage.py models check|fetch`: check which models can be used, and download models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.backends.errors import ModelRefused
from scoring.backends.fetching.copied import copy_checkpoint
from scoring.backends.fetching.hub import fetch
from scoring.backends.models import Models, RoleState, installed
from scoring.services.base.model_profiles import configured_models, offered_profiles

NO_EXTRA = "models cannot be used here: pip install 'groundwork-ratings[worker]' adds what they need"


class Command(BaseCommand):
    help = "Check which models can be used, or get published models from the hub or a copied folder (fetch)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", choices=("check", "fetch"), help="check or download models")
        parser.add_argument(
            "--profile", choices=offered_profiles(), help="profile (default: check all, fetch paper)"
        )
        parser.add_argument("--role", action="append", metavar="ROLE", help="use only this role (repeatable)")
        parser.add_argument(
            "--from",
            type=Path,
            dest="copied",
            metavar="FOLDER",
            help="for fetch: take the files from this folder (of one checkpoint: with --role)",
        )
        parser.add_argument(
            "--try", action="store_true", dest="try_out", help="for check: load each model and run it once"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["act"] == "fetch":
            self._fetch(options["profile"] or "paper", options["role"], options["copied"])
            return
        if options["copied"]:
            raise CommandError("--from needs fetch. [bad_option]", returncode=2)
        software = ", ".join(f"{name} {number}" for name, number in installed().items())
        self.stdout.write(f"software: {software or NO_EXTRA}")
        refused = []
        for name in [options["profile"]] if options["profile"] else offered_profiles():
            refused += self._check(name, options["role"], try_out=options["try_out"])
        if refused and options["profile"]:
            first = refused[0]
            raise CommandError(
                f"{len(refused)} models of this profile cannot be used. [{first.code}]", returncode=2
            )

    def _check(self, name: str, roles: list[str] | None, *, try_out: bool) -> list[ModelRefused]:
        self.stdout.write(f"\nprofile {name}")
        models = _models(name)
        refused = []
        for state in models.states():
            if roles and state.role not in roles:
                continue
            refusal = state.refusal or (_tried(models, state.role) if try_out else None)
            if refusal:
                refused.append(refusal)
            self.stdout.write(f"  {state.role:<15} {_describe_role(state, refusal, tried=try_out)}")
        return refused

    def _fetch(self, name: str, roles: list[str] | None, copied: Path | None) -> None:
        models = _models(name)
        if copied and (copied / "config.json").is_file() and len(roles or []) != 1:
            message = f"{copied} has the files of one checkpoint. Name its role with --role. [bad_option]"
            raise CommandError(message, returncode=2)
        for role, checkpoint in models.profile.checkpoints.items():
            if roles and role not in roles:
                continue
            try:
                if copied and checkpoint.folder is None and not checkpoint.package:
                    located = copy_checkpoint(checkpoint, role, copied, settings.MODEL_FOLDER)
                else:
                    located = fetch(checkpoint, role, settings.MODEL_FOLDER)
            except ModelRefused as refusal:
                raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal
            self.stdout.write(f"{role:<15} {located.name} {located.revision} in {located.folder}")


def _models(name: str) -> Models:
    try:
        return configured_models(name)
    except ModelRefused as refusal:
        raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal


def _tried(models: Models, role: str) -> ModelRefused | None:
    try:
        models.try_out(role)
    except ModelRefused as refusal:
        return refusal
    return None


def _describe_role(state: RoleState, refusal: ModelRefused | None, *, tried: bool) -> str:
    if refusal or state.located is None:
        return f"{state.checkpoint}\n    {refusal.message} [{refusal.code}]" if refusal else state.checkpoint
    return f"{state.located.name} {state.located.revision}: {'works' if tried else 'files found'}"
