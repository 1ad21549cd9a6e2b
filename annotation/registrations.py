"""The jobs and the events of the collecting side."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.domain.base.jobs.queues import Queue
from annotation.services.base.job_kinds import JobKind, register
from annotation.services.base.uploads.acts import UploadAct, register_act
from annotation.services.base.webhook_events import register_event
from annotation.services.pay.payers import register_payer

register(
    JobKind(
        "import_items",
        run="annotation.services.studies.added_items.store_file",
        queue=Queue.SHORT,
        soft_minutes=60,
        hard_minutes=70,
        priority=1,
        right="edit",
        managed_by="running",
    )
)
register(
    JobKind(
        "adjudication",
        run="annotation.services.adjudication.case_selection.run_search",
        queue=Queue.SHORT,
        soft_minutes=30,
        hard_minutes=35,
        right="review",
    )
)
register(
    JobKind(
        "webhook",
        run="annotation.services.base.webhooks.deliver",
        queue=Queue.MESSAGES,
        soft_minutes=2,
        hard_minutes=3,
        right="manage",
    )
)
register(
    JobKind(
        "nightly",
        run="annotation.services.people.nightly.run_nightly",
        queue=Queue.SHORT,
        soft_minutes=60,
        hard_minutes=70,
    )
)
register(
    JobKind(
        "delete_study",
        run="annotation.services.studies.deletion.run_deletion",
        queue=Queue.SHORT,
        soft_minutes=60,
        hard_minutes=70,
    )
)
register(
    JobKind(
        "read_upload",
        run="annotation.services.base.uploads.reading.read_upload",
        queue=Queue.SHORT,
        soft_minutes=10,
        hard_minutes=15,
        priority=1,
        right="edit",
        managed_by="running",
    )
)

register(
    JobKind(
        "send_payments",
        run="annotation.services.pay.sending.run_sending",
        queue=Queue.MESSAGES,
        soft_minutes=10,
        hard_minutes=15,
        right="manage",
    )
)

register(
    JobKind(
        "crowd_submissions",
        run="annotation.services.pay.crowd.submissions.run_submissions",
        queue=Queue.MESSAGES,
        soft_minutes=10,
        hard_minutes=15,
        right="manage",
    )
)
register(
    JobKind(
        "crowd_study",
        run="annotation.services.pay.crowd.study_jobs.run_study_act",
        queue=Queue.MESSAGES,
        soft_minutes=5,
        hard_minutes=7,
        right="manage",
    )
)
register_payer("mturk", "annotation.services.pay.mturk.payer.MturkPayer")
register_payer("prolific", "annotation.services.pay.prolific.payer.ProlificPayer")

register(
    JobKind(
        "flag_search",
        run="annotation.services.studies.notices.flag_search.search_flags",
        queue=Queue.SHORT,
        soft_minutes=10,
        hard_minutes=15,
        right="manage",
    )
)
register(
    JobKind(
        "notices",
        run="annotation.services.studies.notices.mailing.send_notices",
        queue=Queue.MESSAGES,
        soft_minutes=10,
        hard_minutes=15,
        right="manage",
    )
)
register(
    JobKind(
        "rater_messages",
        run="annotation.services.people.messages.sending.send_emails",
        queue=Queue.MESSAGES,
        soft_minutes=30,
        hard_minutes=35,
        right="manage",
    )
)

_ITEMS = "annotation.services.items.sent_files"
register_act(UploadAct("items", run="annotation.services.studies.added_items.take_items"))
register_act(UploadAct("ratings", run=f"{_ITEMS}.take_ratings"))
register_act(
    UploadAct("tuples", run=f"{_ITEMS}.take_tuples", reader="annotation.io.items.cmdag_file.read_records")
)
register_act(UploadAct("errors", run=f"{_ITEMS}.take_errors"))
register_act(UploadAct("probing", run=f"{_ITEMS}.take_probing"))
register_act(UploadAct("pairs", run=f"{_ITEMS}.take_pairs"))
register_act(UploadAct("sets", run=f"{_ITEMS}.take_sets"))
register_act(
    UploadAct(
        "media",
        run="annotation.services.items.media.sent.take_media",
        before="annotation.services.items.media.sent.write_media",
        reader="annotation.io.items.media.reading.prepare_folder",
        several=True,
        reader_options=("most_bytes", "most_in_all", "most_pixels"),
    )
)
# Files whose columns a member reviews before they are stored may have any encoding that is recognised.
_ANY_ENCODING = "annotation.io.items.any_encoding.stream_items"
register_act(UploadAct("columns", run=f"{_ITEMS}.keep_for_columns", reader=_ANY_ENCODING, repeatable=True))
register_act(UploadAct("mapped", run=f"{_ITEMS}.take_mapped", repeatable=True))
register_act(UploadAct("calibration", run="annotation.services.quality.calibration_file.take_calibration"))
register_act(
    UploadAct(
        "payment_results",
        run="annotation.services.pay.payment_results.take_payment_results",
    )
)
register_act(
    UploadAct("new_study", run="annotation.services.studies.new_study.take_new_study", reader=_ANY_ENCODING)
)

register_event("change_state", _("Study opened, paused or closed"), fields=("before", "after"))
register_event("change_consent", _("New version of the consent form"), fields=("version",))
register_event("request_deletion", _("Deletion of the study requested"), fields=("after",))
register_event("cancel_deletion", _("Deletion of the study cancelled"))
register_event("change_form", _("Form changed"), fields=("form", "version", "correction"))
register_event("pool_versions", _("Form versions pooled"), fields=("form", "version", "previous"))
register_event("separate_versions", _("Form versions separated"), fields=("form", "version", "previous"))
register_event("pool_pilot", _("Responses of the pilot pooled"), fields=("pilot",))
register_event("separate_pilot", _("Responses of the pilot separated"), fields=("pilot",))
register_event("import_items", _("Items imported"), fields=("count",))
register_event("import_ratings", _("Ratings imported"), fields=("count",))
register_event("rater_finished", _("Rater finished"))
register_event("target_reached", _("Target reached: all rating slots filled"))
register_event("rater_flagged", _("Rater flagged"), fields=("n",))
register_event("problem_reported", _("Problem with an item reported"), fields=("reason",))
register_event("job_failed", _("Job failed"), fields=("job", "kind", "code"))
register_event("check_failed", _("Attention check failed"), fields=("check",))
register_event("withdraw", _("Rater withdrew"))
register_event("erase_rater", _("Data of a rater erased"))
register_event("exclude_items", _("Items excluded manually"), fields=("n",))
register_event("exclude_rater", _("Rater excluded manually"))
register_event("exclude_response", _("Response excluded manually"))
register_event("lift_exclusion", _("Manual exclusion lifted"))
register_event(
    "apply_rule", _("Exclusion rule applied"), fields=("rule", "n_items", "n_raters", "n_responses")
)
register_event("lift_rule", _("Exclusion rule lifted"), fields=("rule", "n"))
