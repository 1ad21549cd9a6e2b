"""The jobs and the events of the collecting side."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.services.base.job_kinds import JobKind, register
from annotation.services.base.webhook_events import register_event

register(JobKind("import_items", run="annotation.services.items.item_files.store_file"))
register(JobKind("webhook", run="annotation.services.base.webhooks.deliver"))
register(JobKind("adjudication", run="annotation.services.adjudication.case_selection.run_search"))

register_event("change_state", _("The study is opened, paused or closed"), fields=("before", "after"))
register_event("change_consent", _("There is a new consent text"), fields=("version",))
register_event("change_form", _("A form is changed"), fields=("form", "version"))
register_event("import_items", _("Items are imported"), fields=("count",))
register_event("import_ratings", _("Ratings are imported"), fields=("count",))
register_event("rater_finished", _("A rater has finished"))
register_event("check_failed", _("An attention check is failed"), fields=("check",))
register_event("withdraw", _("A rater withdraws"))
register_event("exclude_items", _("Items are excluded by hand"), fields=("n",))
register_event("exclude_rater", _("A rater is excluded by hand"))
register_event("exclude_response", _("An answer is excluded by hand"))
register_event("lift_exclusion", _("An exclusion by hand is lifted"))
register_event(
    "apply_rule", _("An exclusion rule is applied"), fields=("rule", "n_items", "n_raters", "n_responses")
)
register_event("lift_rule", _("An exclusion rule is lifted"), fields=("rule", "n"))
