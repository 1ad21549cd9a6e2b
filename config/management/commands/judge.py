"""`manage.py judge STUDY`: add an automatic judge that answers by a model, or continue one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count

from annotation.domain.base.errors import GroundworkError
from annotation.management.studies import study_named
from annotation.models import Study, User
from annotation.services.base.job_kinds import kind_named
from annotation.services.base.jobs import Lease, claim
from annotation.services.base.queues.guard import Guard
from scoring.backends.checkpoints import Checkpoint, locate
from scoring.models import Judge, JudgeCall, Judgement
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.running.adding import add_chat_judge, add_model_judge, chat_settings
from scoring.services.judges.running.permission import ALLOWED, allow_texts
from scoring.services.judges.running.planning import Counts
from scoring.services.judges.running.prompts import stored_form
from scoring.services.judges.running.runs import KIND, request_run, run_judge
from scoring.services.judges.running.settings import CAUSAL, CLASSIFIER, READINGS, LocalSettings


class Command(BaseCommand):
    help = "Let a local model or a chat endpoint rate the items of a study, as an automatic judge."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="slug of the study")
        way = parser.add_mutually_exclusive_group()
        way.add_argument("--model", metavar="FOLDER", help="local checkpoint: folder, or NAME@REVISION")
        way.add_argument("--chat", metavar="NAME", help="model at the chat endpoint of this installation")
        parser.add_argument("--name", default="", help="name of the judge (default: that of the model)")
        parser.add_argument("--criteria", default="", metavar="NAMES", help="criteria, separated by commas")
        parser.add_argument("--show-prompt", action="store_true", help="print the first prompt and end")
        parser.add_argument("--queue", action="store_true", help="let the workers make the calls")
        self._add_local(parser)
        self._add_chat(parser)

    def _add_local(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--kind", choices=(CAUSAL, CLASSIFIER), default=CAUSAL, help="kind of the local model"
        )
        parser.add_argument(
            "--reading",
            choices=READINGS,
            default=READINGS[0],
            help="answer of a local model: most probable value, or mean weighted by probability",
        )
        parser.add_argument(
            "--labels", default="", metavar="LABEL=VALUE,…", help="values of a classifier’s labels"
        )

    def _add_chat(self, parser: CommandParser) -> None:
        parser.add_argument("--samples", type=int, default=1, help="answers for each item (default: 1)")
        parser.add_argument("--temperature", type=float, default=0.0, help="default: 0")
        parser.add_argument("--seed", type=int, default=1, help="seed of the first sample (default: 1)")
        parser.add_argument("--per-minute", type=int, default=60, help="most calls a minute (default: 60)")
        parser.add_argument("--price", default="0,0", metavar="IN,OUT", help="price of a million tokens")
        parser.add_argument("--budget", default="", help="most that may be spent, in the unit of the price")
        parser.add_argument(
            "--allowed-by", default="", metavar="EMAIL", help="owner who lets the texts be sent"
        )
        parser.add_argument(
            "--consent-names-judges",
            action="store_true",
            help="the owner confirms that the consent form says to whom the texts are sent",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            judge = self._judge(study, options)
            if options["show_prompt"]:
                self._show_prompt(judge)
                return
            self._run(judge, options)
        except GroundworkError as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal

    def _judge(self, study: Study, options: dict[str, Any]) -> Judge:
        """The judge with this name, which is continued, or a new one."""
        name = options["name"] or options["model"] or options["chat"] or ""
        judge = Judge.objects.filter(study=study, name=name).first()
        if judge is None:
            judge = self._added(study, JudgeNotes(name), options)
        if options["allowed_by"]:
            judge = allow_texts(
                judge=judge,
                actor=_account(options["allowed_by"]),
                consent_names_it=options["consent_names_judges"],
            )
        return judge

    def _added(self, study: Study, notes: JudgeNotes, options: dict[str, Any]) -> Judge:
        criteria = [one.strip() for one in options["criteria"].split(",") if one.strip()]
        if options["chat"]:
            read, _, written = options["price"].partition(",")
            asked = chat_settings(
                options["chat"],
                **{
                    name: options[name] for name in ("samples", "temperature", "seed", "per_minute", "budget")
                },
                price_read=read,
                price_written=written or read,
            )
            return add_chat_judge(study=study, notes=notes, criteria=criteria, asked=asked, actor=None)
        if not options["model"]:
            raise CommandError(
                "Enter --model or --chat, or the --name of a judge of the study. [no_model]", returncode=2
            )
        if not options["queue"]:
            locate(Checkpoint.parsed(options["model"]), settings.MODEL_FOLDER)
        local = LocalSettings(
            options["model"], options["kind"], options["reading"], _labels(options["labels"])
        )
        return add_model_judge(study=study, notes=notes, criteria=criteria, asked=local, actor=None)

    def _show_prompt(self, judge: Judge) -> None:
        form = stored_form(judge.study, judge.settings["criteria"])
        item = judge.study.items.first()
        if item is not None:
            prompt = form.prompt(item)
            self.stdout.write(f"{judge.settings['template']}\n\n{prompt.system}\n\n{prompt.user}")

    def _run(self, judge: Judge, options: dict[str, Any]) -> None:
        if judge.way == "chat" and ALLOWED in judge.settings:
            self.stderr.write(f"Texts of items are sent to {judge.settings[ALLOWED]['address']}.")
        job = request_run(judge=judge, actor=None, announce=options["queue"])
        if options["queue"]:
            self.stdout.write(f"Job {job.pk} queued.")
            return
        lease = claim(job_id=job.pk)
        if lease is None:
            raise CommandError(f"A worker is already running this judge (job {job.pk}).", returncode=1)
        self._work(lease)
        self._tell(judge)

    def _work(self, lease: Lease) -> None:
        try:
            with Guard(lease, kind_named(KIND).hard_seconds):
                run_judge(lease=lease)
        except GroundworkError as refusal:
            lease.fail(code=refusal.code, message=refusal.message)
            raise

    def _tell(self, judge: Judge) -> None:
        judge.refresh_from_db()
        calls = (
            JudgeCall.objects.filter(judge=judge).values("state").order_by("state").annotate(n=Count("pk"))
        )
        self.stdout.write(f"{judge.name}: " + ", ".join(f"{one['n']} {one['state']}" for one in calls))
        counts = Counts.of(judge)
        self.stdout.write(
            f"cost at most {counts.spent}; {counts.failures} failed tries; {counts.repeated} calls repeated"
        )
        without = Judgement.objects.filter(judge=judge).exclude(reason="").values("reason")
        for one in without.order_by("reason").annotate(n=Count("pk")):
            self.stdout.write(f"{one['reason']}: {one['n']}")


def _account(email: str) -> User:
    found = User.objects.filter(email__iexact=email).first()
    if found is None:
        raise CommandError(f"There is no account {email}. [no_such_account]", returncode=2)
    return found


def _labels(text: str) -> dict[str, str]:
    pairs = [one.partition("=") for one in text.split(",") if one.strip()]
    return {label.strip(): value.strip() for label, _, value in pairs}
