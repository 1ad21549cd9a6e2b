"""Problems of the workers, in sentences for pages and monitors."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.jobs.queues import Queue
from annotation.domain.base.states import JobState
from annotation.models import Job
from annotation.selectors.base.workers import Workforce, is_stuck


def for_how_long(span: timedelta) -> str:
    """A length of time, as in “63 seconds”."""
    seconds = max(0, round(span.total_seconds()))
    if seconds < 120:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    if seconds < 2 * 3600:
        return _("%(n)d minutes") % {"n": seconds // 60}
    if seconds < 2 * 86_400:
        return _("%(n)d hours") % {"n": seconds // 3600}
    return _("%(n)d days") % {"n": seconds // 86_400}


def trouble_of_workforce(force: Workforce) -> str:
    """Why jobs wait although no worker is busy; empty if a reliable worker exists."""
    if any(worker.slots_at_work for worker in force.workers):
        return ""
    if force.is_starting:
        return _("Workers are starting. Jobs begin when they are ready, usually within a minute.")
    if not force.workers:
        return _("No worker is running. Jobs wait until a worker starts.")
    if len(force.not_answering) == len(force.workers):
        span = for_how_long(force.shortest_silence)
        return _("No worker has responded for %(span)s. Jobs wait until a worker responds.") % {"span": span}
    return _("Workers respond, but their processes have stopped or hang. Jobs wait.")


def silence_of_job(job: Job, force: Workforce) -> str:
    """How long the worker of a running job has not responded, if that is too long."""
    if not is_stuck(job, force.at) or job.heartbeat is None:
        return ""
    return _("The worker of this job has not responded for %(span)s.") % {
        "span": for_how_long(force.at - job.heartbeat)
    }


def trouble_of_queue(queue: Queue, force: Workforce) -> str:
    """Why jobs of a queue wait while those of others run; empty if a worker serves the queue."""
    unserved = {*force.queues_without_worker, *force.idle_queues}
    if queue.broker_name in unserved and force.is_starting:
        sentence = _("Workers are still starting. None serves the queue %(queue)s yet.")
    elif queue.broker_name in force.queues_without_worker:
        sentence = _("No worker serves the queue %(queue)s. Jobs wait until one is started for it.")
    elif queue.broker_name in force.idle_queues:
        sentence = _("No responding worker serves the queue %(queue)s. Jobs wait until one does.")
    else:
        return ""
    return sentence % {"queue": queue.broker_name}


def trouble_of_job(job: Job, queue: Queue, force: Workforce) -> str:
    """Why a job does not progress; empty if a worker runs it, or will."""
    trouble = trouble_of_workforce(force) or trouble_of_queue(queue, force)
    if job.state == JobState.QUEUED:
        return trouble
    silence = silence_of_job(job, force)
    if not silence:
        return ""
    rest = trouble or _("Another worker will take over the job. Saved results remain.")
    return _("%(first)s %(second)s") % {"first": silence, "second": rest}


def troubles(force: Workforce) -> list[str]:
    """All problems, without the names of hosts."""
    found = [trouble_of_workforce(force)]
    silent, all_workers = len(force.not_answering), len(force.workers)
    if 0 < silent < all_workers:
        longest = max(worker.silent_for for worker in force.not_answering if worker.silent_for)
        found.append(
            ngettext(
                "%(n)d of %(all)d workers has not responded for %(span)s.",
                "%(n)d of %(all)d workers do not respond, one of them for %(span)s.",
                silent,
            )
            % {"n": silent, "all": all_workers, "span": for_how_long(longest)}
        )
    if force.stopped_slots and not found[0]:
        found.append(
            ngettext(
                "%(n)d worker process has stopped or hangs.",
                "%(n)d worker processes have stopped or hang.",
                force.stopped_slots,
            )
            % {"n": force.stopped_slots}
        )
    if force.stuck:
        numbers = ", ".join(str(job.pk) for job in force.stuck[:5])
        found.append(
            ngettext(
                "The worker of job %(numbers)s does not respond.",
                "The workers of jobs %(numbers)s do not respond.",
                len(force.stuck),
            )
            % {"numbers": numbers}
        )
    if not found[0]:
        found += _queues_that_wait(force)
    return [sentence for sentence in found if sentence]


def _queues_that_wait(force: Workforce) -> Iterator[str]:
    unserved = sorted({*force.queues_without_worker, *force.idle_queues})
    if unserved and force.is_starting:
        yield _("Workers are still starting. None serves these queues yet: %(queues)s.") % {
            "queues": ", ".join(unserved)
        }
        return
    if force.queues_without_worker:
        yield _("No worker serves these queues: %(queues)s.") % {
            "queues": ", ".join(force.queues_without_worker)
        }
    if force.idle_queues:
        yield _("No responding worker serves these queues: %(queues)s.") % {
            "queues": ", ".join(force.idle_queues)
        }
