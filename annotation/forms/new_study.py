"""The forms that create a study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import MOST_PLANNED_RATINGS_PER_ITEM
from annotation.forms.base import LanguageSelect, TitleField, isolated
from annotation.io.items.data_sets import data_set_names, read_data_set
from annotation.io.items.pasted_rows import file_from_pasted
from annotation.protocols.registry import TEMPLATES
from annotation.services.studies.new_study import COPY_OF
from annotation.services.studies.pilots.main_study import MainItems
from annotation.templatetags.rater_words import translated

BLANK = "blank"
LONGEST_PASTED = 500_000
TABLE_FILES = ".csv,.tsv,.jsonl,.json,.xlsx,.parquet"


def protocol_choices() -> list[tuple[str, str]]:
    """The protocols by key, each with its title in the language of the page."""
    return [(key, translated(template.title)) for key, template in TEMPLATES.items()]


def start_choices() -> list[tuple[str, Any]]:
    """The protocols, and the choice of no protocol."""
    return [*protocol_choices(), (BLANK, _("Blank (create your own forms)"))]


class NewStudyForm(forms.Form):
    """The title, protocol and items of a new study."""

    title = TitleField(label=_("Title"))
    protocol = forms.ChoiceField(
        label=_("Start from"),
        choices=start_choices,
    )
    language = forms.ChoiceField(
        label=_("Language of the study"),
        choices=settings.LANGUAGES,
        widget=LanguageSelect,
        required=False,
        help_text=_(
            "Language of your items, and of the texts that you edit. A protocol comes with translations "
            "into the other languages of raters’ pages. A copy keeps the language of its study."
        ),
    )
    overlap = forms.IntegerField(
        label=_("Ratings per item"),
        min_value=1,
        max_value=MOST_PLANNED_RATINGS_PER_ITEM,
        required=False,
        help_text=_("Leave empty to use the protocol’s number, or 3 for your own forms."),
    )
    apart = forms.BooleanField(
        label=_("Ask each criterion separately"),
        required=False,
        help_text=_(
            "One criterion per page. Each item appears once for each criterion. Not available with demo "
            "items."
        ),
    )
    demo = forms.BooleanField(
        label=_("Add demo items"),
        required=False,
        help_text=_("Example items for trying out the protocol. You do not need a file."),
    )
    items = forms.FileField(
        label=_("Item file"),
        required=False,
        help_text=_(
            "CSV, TSV, XLSX, JSONL, JSON or Parquet with one row per item. If the names of its columns are "
            "not clear, the next page asks what each column contains. You can also import items later."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": TABLE_FILES}),
    )
    pasted = forms.CharField(
        label=_("Pasted rows"),
        required=False,
        max_length=LONGEST_PASTED,
        strip=False,
        help_text=_("Rows copied from a spreadsheet, including the header, or one text per line."),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    field_order = ["title", "protocol", "items", "pasted", "demo", "language", "overlap", "apart"]

    def __init__(self, *args: Any, studies: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        """Offer to begin as a copy of `studies`, each with its address and title."""
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            self.fields["title"].widget.attrs["autofocus"] = True
        names = data_set_names(Path(settings.DATASETS))
        if names:
            self.fields["data_set"] = forms.ChoiceField(
                label=_("Data set on this server"),
                choices=[("", _("None")), *((name, name) for name in names)],
                required=False,
                help_text=_("Instead of a file: a data set in the folder that this installation offers."),
            )
            self.order_fields(["title", "protocol", "items", "data_set"])
        copies = [(f"{COPY_OF}{slug}", isolated(title)) for slug, title in studies]
        if copies:
            group = (_("Copy of another study, without its items"), copies)
            self.fields["protocol"].choices = [*start_choices(), group]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "items" in self.errors:
            return cleaned
        if cleaned.get("demo") and cleaned.get("apart"):
            self.add_error(
                "apart",
                _(
                    "Demo items are not available if each criterion is asked separately. Clear one of the "
                    "two options."
                ),
            )
        if (cleaned.get("pasted") or "").strip() and (cleaned.get("items") or cleaned.get("demo")):
            self.add_error("pasted", _("Choose one source of items: a file, pasted rows, or demo items."))
        if cleaned.get("data_set") and any(cleaned.get(name) for name in ("items", "pasted", "demo")):
            self.add_error(
                "data_set", _("Choose one source of items: a file, pasted rows, a data set, or demo items.")
            )
        if cleaned.get("demo") and cleaned.get("items"):
            self.add_error("items", _("Choose a file or demo items, not both."))
        if cleaned.get("protocol") not in TEMPLATES:
            self._refuse_settings_of_protocols(cleaned)
        return cleaned

    def _refuse_settings_of_protocols(self, cleaned: dict[str, Any]) -> None:
        """Report settings that only apply to the forms of a protocol."""
        if cleaned.get("demo"):
            self.add_error("demo", _("Demo items belong to a protocol. Choose a protocol."))
        if cleaned.get("apart"):
            self.add_error(
                "apart", _("You can only ask the criteria of a protocol separately. Choose a protocol.")
            )

    def items_file(self) -> UploadedFile[Any] | None:
        """The sent file, or a file created from the data set or the pasted rows.

        Raises
        ------
        FileRefused
            The data set cannot be read.
        """
        sent: UploadedFile[Any] | None = self.cleaned_data["items"]
        if name := self.cleaned_data.get("data_set"):
            most = settings.UPLOAD_MAX_BYTES
            rows = read_data_set(Path(settings.DATASETS), name, most_bytes=most)
            return SimpleUploadedFile(f"{name.replace('/', '-')}.parquet", rows)
        if sent is not None or not self.cleaned_data["pasted"].strip():
            return sent
        name, content = file_from_pasted(self.cleaned_data["pasted"])
        return SimpleUploadedFile(name, content.encode(errors="surrogatepass"))


class CopyForm(forms.Form):
    """The title and items of a copy of a study."""

    title = TitleField(label=_("Title of the copy"))
    with_items = forms.BooleanField(label=_("Copy items"), required=False)


class MainStudyForm(forms.Form):
    """The main study of a pilot: its title, its items, and whether raters of the pilot can join."""

    title = TitleField(label=_("Title of the main study"))
    items = forms.ChoiceField(
        label=_("Items of the main study"),
        choices=[
            (MainItems.ACTIVE.value, _("all items that are not retired")),
            (MainItems.UNRATED.value, _("only items without a response, and not retired")),
            (MainItems.ALL.value, _("all items, retired ones too")),
        ],
    )
    refuse_raters = forms.BooleanField(
        label=_("Raters of the pilot cannot join"),
        required=False,
        initial=True,
        help_text=_("They are recognised by their platform ID or account. You can change this later."),
    )


class DefinitionForm(forms.Form):
    """A study's definition from a file."""

    file = forms.FileField(
        label=_("Definition file"),
        help_text=_("A YAML or JSON file, as exported from another study."),
        widget=forms.ClearableFileInput(attrs={"accept": ".yaml,.yml,.json"}),
    )
    title = TitleField(
        label=_("Title"),
        required=False,
        help_text=_("Leave empty to use the title in the file."),
    )
