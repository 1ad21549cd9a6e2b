"""Forms that members fill in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import (
    FEWEST_PAGES_BEFORE_BREAK,
    LANGUAGE,
    LONGEST_TITLE,
    MOST_BATCHES_PER_RATER,
    MOST_CHECK_JITTER,
    MOST_ITEMS_BETWEEN_CHECKS,
    MOST_ITEMS_CHOSEN,
    MOST_ITEMS_PER_RATER,
    MOST_MINUTES,
    MOST_PAGES_BEFORE_BREAK,
    MOST_PAGES_PER_BATCH,
    MOST_PAY_PER_HOUR,
    MOST_PLANNED_RATINGS_PER_ITEM,
    MOST_RATERS_EXPECTED,
    MOST_RATINGS_PER_ITEM,
)
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.base.states import DesignKind
from annotation.forms.base import LongTextField, PageSeconds, isolated
from annotation.forms.people import ReadingFields
from annotation.models import Form, Study, Withdrawal
from annotation.selectors.pay.workload_preview import Disputed


class DraftForm(ReadingFields):
    """Texts and settings of a draft, and how each of its forms is served."""

    field_order = (
        "title",
        "description",
        "content_warning",
        "consent",
        "instructions",
        "language",
        "interface_language",
    )

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    description = LongTextField(label=_("Description"), required=False, rows=3)
    consent = LongTextField(
        label=_("Consent text"),
        required=False,
        rows=8,
        help_text=_("What raters agree to: say what is stored, and what happens with it when they withdraw."),
    )
    instructions = LongTextField(
        label=_("Guide"),
        required=False,
        rows=8,
        help_text=_("Read before the first item, and at hand on every page."),
    )
    language = forms.RegexField(
        rf"^{LANGUAGE}$",
        label=_("Language of the texts"),
        error_messages={"invalid": _("Enter a language code, such as en, zh, ja or pt-BR.")},
        help_text=_(
            "The language in which the items and your own texts are written, as a code: en, zh, ja, pt-BR. "
            "The language of buttons and messages does not depend on it."
        ),
    )
    interface_language = forms.ChoiceField(
        label=_("Language of raters’ pages"),
        choices=[("", _("that of each rater’s browser")), *settings.LANGUAGES],
        required=False,
        help_text=_(
            "Buttons and messages begin in it. A rater can choose another; it is stored with each answer."
        ),
    )
    seat_minutes = forms.IntegerField(
        label=_("Minutes an item is held for a rater"),
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("Then somebody else may be given it; an answer after that is marked late."),
    )

    break_after = forms.IntegerField(
        label=_("Suggest a break after so many pages"),
        min_value=FEWEST_PAGES_BEFORE_BREAK,
        max_value=MOST_PAGES_BEFORE_BREAK,
        required=False,
        help_text=_("Empty: no breaks are suggested."),
    )
    on_withdrawal = forms.ChoiceField(
        label=_("Answers of somebody who withdraws"),
        choices=[
            (Withdrawal.KEEP.value, _("stay in the study")),
            (Withdrawal.EXCLUDE.value, _("are kept, and excluded from figures")),
            (Withdrawal.ERASE.value, _("are erased")),
        ],
        help_text=_("Say the same in the consent text."),
    )
    design = forms.ChoiceField(
        label=_("How items are handed out"),
        choices=[
            (DesignKind.POOL.value, _("pool: the items that have the fewest ratings first")),
            (DesignKind.BATCHES.value, _("batches: fixed sets, each taken once by a rater")),
            (DesignKind.ALL.value, _("all: every rater rates everything")),
            (DesignKind.PANELS.value, _("panels: each form has its own raters")),
        ],
    )
    keep_groups = forms.ChoiceField(
        label=_("Candidates of a group"),
        choices=[
            (GroupPlacement.FREE.value, _("come as it falls")),
            (GroupPlacement.TOGETHER.value, _("come one after another")),
            (GroupPlacement.APART.value, _("are kept apart")),
        ],
    )
    batch_size = forms.IntegerField(
        label=_("Pages of a batch"), min_value=1, max_value=MOST_PAGES_PER_BATCH, required=False
    )
    batches_per_rater = forms.IntegerField(
        label=_("Most batches for one rater"),
        min_value=1,
        max_value=MOST_BATCHES_PER_RATER,
        required=False,
        help_text=_("Empty: as many as there are."),
    )
    mixed = forms.BooleanField(label=_("A batch holds pages of several forms"), required=False)
    check_every = forms.IntegerField(
        label=_("An attention check after about so many items"),
        min_value=2,
        max_value=MOST_ITEMS_BETWEEN_CHECKS,
        required=False,
        help_text=_("Empty: none. In batches each batch has one."),
    )
    check_jitter = forms.IntegerField(
        label=_("… moved by up to so many"), min_value=0, max_value=MOST_CHECK_JITTER, initial=0
    )
    more_allowed = forms.BooleanField(
        label=_("Whoever reaches the most they are given may ask for more"), required=False
    )
    include_late = forms.BooleanField(
        label=_("Late answers count in figures of agreement"),
        required=False,
        help_text=_("They never count among the ratings that an item needs."),
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        texts = {name: getattr(study, name) for name in self.base_fields}
        super().__init__(data, initial=texts)
        self.served = list(study.forms.order_by("position", "pk"))
        for form in self.served:
            self.fields[f"overlap-{form.key}"] = forms.IntegerField(
                label=_("%(form)s: ratings each item needs") % {"form": isolated(form.title)},
                min_value=1,
                max_value=MOST_PLANNED_RATINGS_PER_ITEM,
                initial=form.overlap,
            )
            self.fields[f"per_rater-{form.key}"] = forms.IntegerField(
                label=_("%(form)s: most items for one rater") % {"form": isolated(form.title)},
                min_value=1,
                max_value=MOST_ITEMS_PER_RATER,
                required=False,
                initial=form.per_rater,
                help_text=_(
                    "Empty: as many as there are. In batches, and where everybody rates everything, "
                    "it must be empty."
                ),
            )

    def texts(self) -> dict[str, Any]:
        """The fields of the study itself."""
        return {name: self.cleaned_data[name] for name in self.base_fields}

    def serving(self) -> list[tuple[Form, int, int | None]]:
        """Each form with its overlap and its cap."""
        return [
            (form, self.cleaned_data[f"overlap-{form.key}"], self.cleaned_data[f"per_rater-{form.key}"])
            for form in self.served
        ]


class PreviewForm(forms.Form):
    """What a researcher expects, for the preview of a design."""

    raters = forms.IntegerField(
        label=_("Raters expected"),
        min_value=1,
        max_value=MOST_RATERS_EXPECTED,
        required=False,
        help_text=_("Empty: the fewest who can do it."),
    )
    seconds = PageSeconds(label=_("Seconds a page takes"), required=False)
    per_hour = forms.DecimalField(
        label=_("Pay per hour"), min_value=0, max_value=MOST_PAY_PER_HOUR, decimal_places=2, required=False
    )

    def __init__(self, seconds: float, data: Any = None) -> None:
        super().__init__(data)
        self.fields["seconds"].initial = f"{seconds:g}"

    def expected(self) -> dict[str, Any]:
        """What `preview_of` takes; nothing where nothing was sent."""
        if not self.is_bound:
            return {}
        return {name: value for name, value in self.cleaned_data.items() if value is not None}


class MoreForm(forms.Form):
    """A rule that chooses items on which raters disagree, bounded in number."""

    criterion = forms.ChoiceField(label=_("Criterion"))
    form = forms.ModelChoiceField(Form.objects.none(), label=_("Form"))
    spread = forms.IntegerField(
        label=_("Range of the ratings at least"), min_value=0, max_value=1000, required=False
    )
    width = forms.FloatField(
        label=_("95 % interval of the mean at least this wide"), min_value=0, required=False
    )
    fewer_than = forms.IntegerField(
        label=_("Or fewer ratings than"), min_value=1, max_value=MOST_RATINGS_PER_ITEM, required=False
    )
    to = forms.IntegerField(
        label=_("Ratings each of them is to have"), min_value=1, max_value=MOST_RATINGS_PER_ITEM, initial=5
    )
    most = forms.IntegerField(label=_("Most items"), min_value=1, max_value=MOST_ITEMS_CHOSEN, initial=50)

    def __init__(self, study: Study, criteria: Sequence[str], data: Any = None) -> None:
        super().__init__(data)
        self.fields["criterion"] = forms.ChoiceField(
            label=_("Criterion"), choices=[(key, key) for key in criteria]
        )
        self.fields["form"] = forms.ModelChoiceField(
            study.forms.all(), label=_("Form"), empty_label=None, initial=study.forms.first()
        )

    def choose(self, items: Sequence[Disputed]) -> list[Disputed]:
        """The items that meet the rule, at most so many; `items` come most disputed first."""
        spread, width, fewer = (self.cleaned_data[name] for name in ("spread", "width", "fewer_than"))
        met = [
            one
            for one in items
            if (fewer is not None and one.n < fewer)
            or (spread is not None and one.spread >= spread)
            or (width is not None and one.width >= width)
        ]
        return met[: self.cleaned_data["most"]]
