"""Forms that members fill in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import (
    FEWEST_PAGES_BEFORE_BREAK,
    LANGUAGE,
    MOST_BATCHES_PER_RATER,
    MOST_CHECK_JITTER,
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
from annotation.forms.base import (
    LanguageSelect,
    LongTextField,
    PageSeconds,
    TitleField,
    isolated,
    items_between_checks,
)
from annotation.forms.people import ReadingFields
from annotation.models import Form, Study, Withdrawal
from annotation.selectors.pay.workload_preview import Disputed
from annotation.selectors.questions.text_languages import own_name
from annotation.services.studies.texts.open_texts import CHANGEABLE

DESIGN_CHOICES = (
    (DesignKind.POOL.value, _("pool: items with the fewest ratings first")),
    (DesignKind.BATCHES.value, _("batches: fixed sets of pages")),
    (DesignKind.ALL.value, _("complete: every rater rates all items")),
    (DesignKind.PANELS.value, _("panels: separate raters for each form")),
)


class DraftForm(ReadingFields):
    """Texts and settings of a draft, with the ratings per item and limit per rater of each form."""

    field_order = (
        "title",
        "description",
        "content_warning",
        "consent",
        "instructions",
        "language",
        "interface_language",
    )

    title = TitleField(label=_("Title"))
    description = LongTextField(label=_("Description"), required=False, rows=3)
    consent = LongTextField(
        label=_("Consent form"),
        required=False,
        rows=8,
        help_text=_("State what is stored, and what happens to the data of raters who withdraw."),
    )
    instructions = LongTextField(
        label=_("Instructions"),
        required=False,
        rows=8,
        help_text=_("How to rate. Shown before the first item and available on every page."),
    )
    language = forms.RegexField(
        rf"^{LANGUAGE}$",
        label=_("Language of the study"),
        error_messages={"invalid": _("Enter a language code, such as en, zh, ja or pt-BR.")},
        help_text=_(
            "Language code of your items and texts, such as en, zh, ja or pt-BR. Buttons and messages may "
            "be in "
            "another language."
        ),
    )
    interface_language = forms.ChoiceField(
        label=_("Language of raters’ pages"),
        choices=[("", _("language of each rater’s browser")), *settings.LANGUAGES],
        widget=LanguageSelect,
        required=False,
        help_text=_(
            "First language of buttons and messages. Raters can change it. It is saved with each response."
        ),
    )
    seat_minutes = forms.IntegerField(
        label=_("Reservation time (minutes)"),
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("After that, the item can go to another rater, and the response is marked as late."),
    )
    last_seat_minutes = forms.IntegerField(
        label=_("Reservation time of the last items (minutes)"),
        min_value=1,
        max_value=MOST_MINUTES,
        required=False,
        help_text=_(
            "For when the raters at work could take all free rating slots before a reservation ends. One "
            "absent rater then blocks the last items for less time. Leave empty for no difference."
        ),
    )

    break_after = forms.IntegerField(
        label=_("Pages between suggested breaks"),
        min_value=FEWEST_PAGES_BEFORE_BREAK,
        max_value=MOST_PAGES_BEFORE_BREAK,
        required=False,
        help_text=_("Leave empty to suggest no breaks."),
    )
    on_withdrawal = forms.ChoiceField(
        label=_("Responses of raters who withdraw"),
        choices=[
            (Withdrawal.KEEP.value, _("retain and include in statistics")),
            (Withdrawal.EXCLUDE.value, _("retain but exclude from statistics")),
            (Withdrawal.ERASE.value, _("delete")),
        ],
        help_text=_("The consent form must state the same."),
    )
    design = forms.ChoiceField(
        label=_("Assignment design"),
        choices=DESIGN_CHOICES,
    )
    keep_groups = forms.ChoiceField(
        label=_("Order of candidates of a group"),
        choices=[
            (GroupPlacement.FREE.value, _("in any order")),
            (GroupPlacement.TOGETHER.value, _("one after another")),
            (GroupPlacement.SEPARATED.value, _("spread out")),
        ],
    )
    batch_size = forms.IntegerField(
        label=_("Pages per batch"), min_value=1, max_value=MOST_PAGES_PER_BATCH, required=False
    )
    batches_per_rater = forms.IntegerField(
        label=_("Limit per rater (batches)"),
        min_value=1,
        max_value=MOST_BATCHES_PER_RATER,
        required=False,
        help_text=_("Leave empty for no limit."),
    )
    mixed = forms.BooleanField(label=_("Mix pages of several forms in one batch"), required=False)
    check_every = items_between_checks()
    check_jitter = forms.IntegerField(
        label=_("Random shift of checks (maximum items)"), min_value=0, max_value=MOST_CHECK_JITTER, initial=0
    )
    more_allowed = forms.BooleanField(
        label=_("Raters who reach their limit can request more items"), required=False
    )
    include_late = forms.BooleanField(
        label=_("Include late responses in agreement statistics"),
        required=False,
        help_text=_("Late responses never count towards the ratings per item."),
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        texts = {name: getattr(study, name) for name in self.base_fields}
        super().__init__(data, initial=texts)
        self.translated_into = set(study.translations)
        self.served = list(study.forms.order_by("position", "pk"))
        for form in self.served:
            self.fields[f"overlap-{form.key}"] = forms.IntegerField(
                label=_("%(form)s: ratings per item") % {"form": isolated(form.title)},
                min_value=1,
                max_value=MOST_PLANNED_RATINGS_PER_ITEM,
                initial=form.overlap,
            )
            self.fields[f"per_rater-{form.key}"] = forms.IntegerField(
                label=_("%(form)s: limit per rater (items)") % {"form": isolated(form.title)},
                min_value=1,
                max_value=MOST_ITEMS_PER_RATER,
                required=False,
                initial=form.per_rater,
                help_text=_("Leave empty for no limit. In the batch and complete designs, it must be empty."),
            )

    def clean_language(self) -> str:
        language: str = self.cleaned_data["language"]
        if language in self.translated_into:
            raise forms.ValidationError(
                _("The study has translations into this language. Remove them under “Translations” first.")
            )
        return language

    def texts(self) -> dict[str, Any]:
        """The fields of the study itself."""
        return {name: self.cleaned_data[name] for name in self.base_fields}

    def serving(self) -> list[tuple[Form, int, int | None]]:
        """Each form with its ratings per item and its limit per rater."""
        return [
            (form, self.cleaned_data[f"overlap-{form.key}"], self.cleaned_data[f"per_rater-{form.key}"])
            for form in self.served
        ]


def _in_language(label: str | Promise, language: str) -> SafeString:
    named = {"text": escape(label), "language": own_name(language)}
    return mark_safe(gettext("%(text)s (%(language)s)") % named)  # noqa: S308 (escaped above)


class OpenTextsForm(forms.Form):
    """Title, description and instructions of a study in which raters work, in each of its languages."""

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.languages = [study.language, *study.translations]
        for language in self.languages:
            own = language == study.language
            texts = (
                {name: getattr(study, name) for name in CHANGEABLE} if own else study.translations[language]
            )
            self._add(language, own=own, texts=texts)

    def _add(self, language: str, *, own: bool, texts: Mapping[str, str]) -> None:
        """Fields for the texts in one language."""
        kinds: dict[str, Any] = {
            "title": (TitleField, _("Title"), {"required": own}),
            "description": (LongTextField, _("Description"), {"rows": 3, "required": False}),
            "instructions": (LongTextField, _("Instructions"), {"rows": 10, "required": False}),
        }
        for name, (kind, label, options) in kinds.items():
            words = label if own else _in_language(label, language)
            field = kind(label=words, initial=texts.get(name, ""), **options)
            field.widget.attrs |= {"lang": language, "dir": "auto"}
            self.fields[f"{name}-{language}"] = field

    def texts(self, language: str) -> dict[str, str]:
        """The texts in a language, by name."""
        return {name: self.cleaned_data[f"{name}-{language}"] for name in CHANGEABLE}

    def given(self) -> dict[str, Any]:
        """The arguments of `preview_texts`."""
        own, *others = self.languages
        return {"texts": self.texts(own), "translations": {one: self.texts(one) for one in others}}


class PreviewForm(forms.Form):
    """The raters, time and pay that a researcher expects, for the workload preview."""

    raters = forms.IntegerField(
        label=_("Expected number of raters"),
        min_value=1,
        max_value=MOST_RATERS_EXPECTED,
        required=False,
        help_text=_("Leave empty for the minimum number."),
    )
    seconds = PageSeconds(label=_("Seconds per page"), required=False)
    per_hour = forms.DecimalField(
        label=_("Pay per hour"), min_value=0, max_value=MOST_PAY_PER_HOUR, decimal_places=2, required=False
    )

    def __init__(self, seconds: float, data: Any = None) -> None:
        super().__init__(data)
        self.fields["seconds"].initial = f"{seconds:g}"

    def expected(self) -> dict[str, Any]:
        """The arguments of `preview_of`; empty if nothing was sent."""
        if not self.is_bound:
            return {}
        return {name: value for name, value in self.cleaned_data.items() if value is not None}


class MoreForm(forms.Form):
    """A rule that chooses items on which raters disagree, bounded in number."""

    criterion = forms.ChoiceField(label=_("Criterion"))
    form = forms.ModelChoiceField(Form.objects.none(), label=_("Form"))
    spread = forms.IntegerField(
        label=_("Minimum range of the ratings"), min_value=0, max_value=1000, required=False
    )
    width = forms.FloatField(label=_("Minimum width of the 95% CI of the mean"), min_value=0, required=False)
    fewer_than = forms.IntegerField(
        label=_("Also items with fewer ratings than"),
        min_value=1,
        max_value=MOST_RATINGS_PER_ITEM,
        required=False,
    )
    to = forms.IntegerField(
        label=_("Ratings per item to reach"), min_value=1, max_value=MOST_RATINGS_PER_ITEM, initial=5
    )
    most = forms.IntegerField(
        label=_("Maximum number of items"), min_value=1, max_value=MOST_ITEMS_CHOSEN, initial=50
    )

    def __init__(self, study: Study, criteria: Mapping[str, str], data: Any = None) -> None:
        super().__init__(data)
        self.fields["criterion"] = forms.ChoiceField(
            label=_("Criterion"), choices=[(key, isolated(name)) for key, name in criteria.items()]
        )
        self.fields["form"] = forms.ModelChoiceField(
            study.forms.all(), label=_("Form"), empty_label=None, initial=study.forms.first()
        )

    def choose(self, items: Sequence[Disputed]) -> list[Disputed]:
        """The items that meet the rule, up to the limit; `items` begin with the most disputed one."""
        spread, width, fewer = (self.cleaned_data[name] for name in ("spread", "width", "fewer_than"))
        met = [
            one
            for one in items
            if (fewer is not None and one.n < fewer)
            or (spread is not None and one.spread >= spread)
            or (width is not None and one.width >= width)
        ]
        return met[: self.cleaned_data["most"]]
