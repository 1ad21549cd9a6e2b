"""`manage.py serve`: the web server and workers, prepared, started, watched and stopped together."""

from __future__ import annotations

import argparse
import http.client
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections

from annotation.domain.base.jobs.queues import BEFORE, Queue
from annotation.serving.bind_address import Address, AddressError, listen, parse_address
from annotation.serving.startup_tasks import prepare
from annotation.serving.supervisor import STOP_SIGNALS, Child, Supervisor
from config.settings.env import SERVED_SINCE

if TYPE_CHECKING:
    from annotation.services.studies.demo import DemoAccess

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8000
# Long jobs have separate workers, so that no short job waits for them.
WORKERS = {
    "worker": (BEFORE, Queue.SHORT.broker_name, Queue.MESSAGES.broker_name),
    "worker for reports": (Queue.REPORTS.broker_name,),
    "worker for models": (Queue.MODELS.broker_name,),
}


class Command(BaseCommand):
    help = "Start the web server and workers; Ctrl-C stops all. --demo creates a study to try out."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="with a demo study and accounts for it")
        self.add_server_arguments(parser)

    def add_server_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the address and the numbers of processes and threads."""
        parser.add_argument(
            "--bind",
            metavar="HOST:PORT",
            help=f"where to listen (default {DEFAULT_HOST}:{DEFAULT_PORT}, or the next free port)",
        )
        parser.add_argument("--workers", type=_positive, default=2, help="web processes (default 2)")
        parser.add_argument("--threads", type=_positive, default=4, help="threads each (default 4)")

    def handle(self, *args: Any, **options: Any) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.default_int_handler)
        try:
            listener, address = listen(_wanted(options["bind"]))
            self._say(f"Preparing the database and the static files in {settings.VAR_DIR} …")
            prepare(Path(settings.VAR_DIR))
            demo_access = _open_demo(address) if options["demo"] else None
        except AddressError as error:
            raise CommandError(str(error), returncode=2) from error
        except OperationalError as error:
            raise CommandError(f"The database does not answer. Check DATABASE_URL: {error}") from error
        except KeyboardInterrupt:
            self._say("Stopped before the server was started.")
            sys.exit(130)
        connections.close_all()
        children = [
            _web(listener.fileno(), workers=options["workers"], threads=options["threads"]),
            *(_worker(name, taken) for name, taken in WORKERS.items()),
        ]
        os.environ[SERVED_SINCE] = str(int(time.time()))
        supervisor = Supervisor(children, self._say)
        status = supervisor.run(when_started=lambda: self._announce_when_up(address, demo_access))
        self._say("Stopped.")
        sys.exit(status)

    def _announce_when_up(self, address: Address, demo_access: DemoAccess | None) -> bool:
        if not _answers(address):
            return False
        lines = [f"Groundwork is running at {address.url()}"]
        if not address.explicit and address.port != DEFAULT_PORT:
            lines.append(f"(port {DEFAULT_PORT} is in use, so this is port {address.port})")
        if demo_access:
            lines += demo_lines(address, demo_access)
        lines += [f"  data and logs: {settings.VAR_DIR}", "Ctrl-C stops it."]
        self._say("\n".join(lines))
        return True

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _wanted(bind: str | None) -> Address:
    if bind is None:
        return Address(DEFAULT_HOST, DEFAULT_PORT, explicit=False)
    return Address(*parse_address(bind))


def _open_demo(address: Address) -> DemoAccess:
    from annotation.serving.demo_access import open_demo

    return open_demo(bind=address.host)


def demo_lines(address: Address, access: DemoAccess) -> list[str]:
    """The accounts that can sign in with their passwords, and the current link for raters."""
    people = {
        "researcher": access.researcher_email,
        "admin": access.admin_email,
        "owner": access.owner_email,
        "adjudicator": access.adjudicator_email,
        "viewer": access.viewer_email,
        "site admin": access.site_admin_email,
    }
    token, passwords = access.invitation_token, access.passwords
    return [
        *(_log_in(role, one, passwords[one]) for role, one in people.items() if one in passwords),
        f"  rater:       {address.url(f'/join/{token}/') if token else '(every link was revoked)'}",
        f"  demo study:  {address.url(f'/studies/{access.study_slug}/')}",
    ]


def _log_in(role: str, email: str, password: str) -> str:
    return f"  {role + ':':<12} {email}  password: {password or '(the one that was chosen)'}"


def _web(descriptor: int, *, workers: int, threads: int) -> Child:
    logs = Path(settings.VAR_DIR) / "log"
    command = [sys.executable, "-m", "gunicorn", "config.wsgi:application"]
    command += ["--bind", f"fd://{descriptor}", "--preload", "--no-control-socket"]
    command += ["--worker-class", "gthread", "--workers", str(workers), "--threads", str(threads)]
    command += ["--access-logfile", str(logs / "access.log"), "--graceful-timeout", "3"]
    command += ["--logger-class", "annotation.serving.access_log.AccessLog"]
    return Child("web server", command, log=logs / "web.log", pass_fds=(descriptor,))


def _worker(name: str, taken: Sequence[str]) -> Child:
    # Checks load every page of the web server, which a worker has no use for.
    command = [sys.executable, "-m", "celery", "-A", "config", "--skip-checks", "worker"]
    command += ["--loglevel", "INFO", "--pool", "prefork", "--concurrency", "1", "--queues", ",".join(taken)]
    command += ["--hostname", f"{name.replace(' ', '-')}@%h"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    if Queue.MODELS.broker_name in taken:
        # Models use every core for hours: pages and reports go first.
        command = ["nice", "-n", "10", *command]
    return Child(name, command, log=Path(settings.VAR_DIR) / "log" / f"{name.replace(' ', '-')}.log")


def _answers(address: Address) -> bool:
    connection = http.client.HTTPConnection(address.reachable_host.strip("[]"), address.port, timeout=1)
    try:
        connection.request("GET", "/health/live")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
