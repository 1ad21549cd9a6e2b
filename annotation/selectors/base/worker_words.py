"""What is wrong with the workers, in sentences for pages and for monitors."""

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
    """As in “not heard of for 63 seconds”."""
    seconds = max(0, round(span.total_seconds()))
    if seconds < 120:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    if seconds < 2 * 3600:
        return _("%(n)d minutes") % {"n": seconds // 60}
    if seconds < 2 * 86_400:
        return _("%(n)d hours") % {"n": seconds // 3600}
    return _("%(n)d days") % {"n": seconds // 86_400}


def nobody_works(force: Workforce) -> str:
    """Why jobs wait although nobody is busy with others; empty where a worker can be relied on."""
    if not force.workers:
        return _("No worker is running. Jobs wait until one is started.")
    if len(force.not_answering) == len(force.workers):
        span = for_how_long(force.shortest_silence)
        return _("No worker has been heard of for %(span)s. Jobs wait until one answers.") % {"span": span}
    if not any(worker.slots_at_work for worker in force.workers):
        return _("A worker answers, but the processes that do its jobs are stopped or hang. Jobs wait.")
    return ""


def silence_of_job(job: Job, force: Workforce) -> str:
    """How long nothing was heard of a running job, where that is too long."""
    if not is_stuck(job, force.at) or job.heartbeat is None:
        return ""
    return _("The worker that holds this job has not been heard of for %(span)s.") % {
        "span": for_how_long(force.at - job.heartbeat)
    }


def trouble_of_queue(queue: Queue, force: Workforce) -> str:
    """Why jobs of a queue wait while workers take those of others; empty where a worker takes them."""
    if queue.broker_name in force.queues_without_worker:
        sentence = _("No worker takes jobs from the queue %(queue)s. Jobs wait until one is started for it.")
    elif queue.broker_name in force.idle_queues:
        sentence = _("No worker that answers takes jobs from the queue %(queue)s. Jobs wait until one does.")
    else:
        return ""
    return sentence % {"queue": queue.broker_name}


def trouble_of_job(job: Job, queue: Queue, force: Workforce) -> str:
    """Why a job does not move; empty where a worker is at it, or will be."""
    nobody = nobody_works(force) or trouble_of_queue(queue, force)
    if job.state == JobState.QUEUED:
        return nobody
    silence = silence_of_job(job, force)
    if not silence:
        return ""
    rest = nobody or _("Another worker takes the job over; what is stored stays.")
    return f"{silence} {rest}"


def troubles(force: Workforce) -> list[str]:
    """Everything that is wrong, without the names of hosts."""
    found = [nobody_works(force)]
    silent, all_workers = len(force.not_answering), len(force.workers)
    if 0 < silent < all_workers:
        longest = max(worker.silent_for for worker in force.not_answering if worker.silent_for)
        found.append(
            ngettext(
                "%(n)d of %(all)d workers does not answer, for %(span)s so far.",
                "%(n)d of %(all)d workers do not answer, one for %(span)s.",
                silent,
            )
            % {"n": silent, "all": all_workers, "span": for_how_long(longest)}
        )
    if force.stopped_slots and not found[0]:
        found.append(
            ngettext(
                "%(n)d process of a worker is stopped or hangs.",
                "%(n)d processes of workers are stopped or hang.",
                force.stopped_slots,
            )
            % {"n": force.stopped_slots}
        )
    if force.stuck:
        numbers = ", ".join(str(job.pk) for job in force.stuck[:5])
        found.append(
            ngettext(
                "Job %(numbers)s is running, and its worker has not been heard of.",
                "Jobs %(numbers)s are running, and their workers have not been heard of.",
                len(force.stuck),
            )
            % {"numbers": numbers}
        )
    if not found[0]:
        found += _queues_that_wait(force)
    return [sentence for sentence in found if sentence]


def _queues_that_wait(force: Workforce) -> Iterator[str]:
    if force.queues_without_worker:
        yield _("No worker was started that takes jobs from: %(queues)s.") % {
            "queues": ", ".join(force.queues_without_worker)
        }
    if force.idle_queues:
        yield _("No worker that answers takes jobs from: %(queues)s.") % {
            "queues": ", ".join(force.idle_queues)
        }
