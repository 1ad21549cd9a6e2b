"""Forms that members fill in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from annotation.domain.platforms import Platform
from annotation.models import Form, Study
from annotation.protocols.registry import TEMPLATES
from annotation.services.studies import RESERVED_SLUGS

TABLE_FILES = ".csv,.tsv,.jsonl,.json,.xlsx,.parquet"


class NewStudyForm(forms.Form):
    """A study begins with a title, a protocol and its items."""

    title = forms.CharField(label=_("Title"), max_length=200)
    protocol = forms.ChoiceField(
        label=_("Protocol"), choices=[(key, template.title) for key, template in TEMPLATES.items()]
    )
    overlap = forms.IntegerField(label=_("Ratings each item needs"), min_value=1, max_value=100, initial=3)
    items = forms.FileField(
        label=_("Items"),
        help_text=_("CSV, TSV, JSONL, JSON, XLSX or Parquet: item, group, system, then one column a text."),
        widget=forms.ClearableFileInput(attrs={"accept": TABLE_FILES}),
    )

    def slug(self) -> str:
        """A free address made from the title."""
        base = slugify(self.cleaned_data["title"])[:50] or "study"
        taken = {*Study.objects.filter(slug__startswith=base).values_list("slug", flat=True), *RESERVED_SLUGS}
        numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
        return base if base not in taken else next(slug for slug in numbered if slug not in taken)


class LinkForm(forms.Form):
    """A link by which raters come: for somebody, for everybody, or for a crowd platform."""

    PERSONAL = "personal"
    kind = forms.ChoiceField(
        label=_("Kind of link"),
        choices=[
            (Platform.NONE.value, _("open: whoever has it")),
            (PERSONAL, _("personal: one person")),
            (Platform.PROLIFIC.value, "Prolific"),
            (Platform.MTURK.value, "Mechanical Turk"),
            (Platform.OTHER.value, _("another platform")),
        ],
        initial=Platform.NONE.value,
    )
    label = forms.CharField(label=_("For whom (seen by members only)"), max_length=120, required=False)
    cap = forms.IntegerField(
        label=_("Most raters by this link"),
        min_value=1,
        max_value=1_000_000,
        required=False,
        help_text=_("Empty: as many as there is work for."),
    )
    completion_code = forms.CharField(label=_("Completion code"), max_length=60, required=False)
    screenout_code = forms.CharField(label=_("Screen-out code"), max_length=60, required=False)
    completion_url = forms.CharField(
        label=_("Return address when done"),
        max_length=500,
        required=False,
        help_text=_("May hold {person}, {task}, {session} and {code}. Prolific’s own is built in."),
    )
    screenout_url = forms.CharField(
        label=_("Return address of those who cannot take part"), max_length=500, required=False
    )
    person_param = forms.CharField(
        label=_("Parameter that says who comes"),
        max_length=60,
        required=False,
        help_text=_("Needed for another platform only."),
    )
    task_param = forms.CharField(label=_("Parameter of the task"), max_length=60, required=False)
    session_param = forms.CharField(label=_("Parameter of the session"), max_length=60, required=False)

    def invitation(self) -> dict[str, Any]:
        """What `invite` takes."""
        given = dict(self.cleaned_data)
        kind = given.pop("kind")
        personal = kind == self.PERSONAL
        platform = Platform.NONE if personal else Platform(kind)
        return {**given, "personal": personal, "platform": platform}


class DraftForm(forms.Form):
    """Texts and settings of a draft, and how each of its forms is served."""

    title = forms.CharField(label=_("Title"), max_length=200)
    description = forms.CharField(
        label=_("Description"), max_length=20_000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    consent = forms.CharField(
        label=_("Consent text"),
        max_length=20_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("What raters agree to: say what is stored, and what happens with it when they withdraw."),
    )
    instructions = forms.CharField(
        label=_("Guide"),
        max_length=20_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Read before the first item, and at hand on every page."),
    )
    language = forms.RegexField(
        r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$",
        label=_("Language of the texts"),
        help_text=_("A language code: en, zh, ja, pt-BR."),
    )
    seat_minutes = forms.IntegerField(
        label=_("Minutes an item is held for a rater"),
        min_value=1,
        max_value=100_000,
        help_text=_("Then somebody else may be given it; an answer after that is marked late."),
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        texts = {name: getattr(study, name) for name in self.base_fields}
        super().__init__(data, initial=texts)
        self.served = list(study.forms.order_by("position", "pk"))
        for form in self.served:
            self.fields[f"overlap-{form.key}"] = forms.IntegerField(
                label=_("%(form)s: ratings each item needs") % {"form": form.title},
                min_value=1,
                max_value=100,
                initial=form.overlap,
            )
            self.fields[f"per_rater-{form.key}"] = forms.IntegerField(
                label=_("%(form)s: most items for one rater") % {"form": form.title},
                min_value=1,
                max_value=100_000,
                required=False,
                initial=form.per_rater,
                help_text=_("Empty: as many as there are."),
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


class ImportForm(forms.Form):
    """A file of items or of ratings for a study that exists."""

    ITEMS, RATINGS = "items", "ratings"
    what = forms.ChoiceField(choices=[(ITEMS, _("Items")), (RATINGS, _("Ratings"))])
    file = forms.FileField(label=_("File"))
    low = forms.IntegerField(label=_("Lowest value"), min_value=-9999, max_value=9999, required=False)
    high = forms.IntegerField(label=_("Highest value"), min_value=-9999, max_value=9999, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        low, high = cleaned.get("low"), cleaned.get("high")
        if (low is None) != (high is None) or (low is not None and high is not None and low >= high):
            self.add_error("low", _("A scale has two ends, the lower one first; or leave both empty."))
        return cleaned

    def scale(self) -> tuple[int, int] | None:
        """Ends of the scale, where they were given."""
        low, high = self.cleaned_data["low"], self.cleaned_data["high"]
        return None if low is None else (low, high)
