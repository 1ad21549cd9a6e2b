"""The forms that create a study."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import LONGEST_TITLE, MOST_PLANNED_RATINGS_PER_ITEM
from annotation.io.items.pasted_rows import file_from_pasted
from annotation.protocols.registry import TEMPLATES
from annotation.templatetags.rater_words import translated

BLANK = "blank"
LONGEST_PASTED = 500_000
TABLE_FILES = ".csv,.tsv,.jsonl,.json,.xlsx,.parquet"


def protocol_choices() -> list[tuple[str, str]]:
    """The protocols by key, each with its title in the language of the page."""
    return [(key, translated(template.title)) for key, template in TEMPLATES.items()]


class NewStudyForm(forms.Form):
    """The title, protocol and items of a new study."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    protocol = forms.ChoiceField(
        label=_("Protocol"),
        choices=lambda: [*protocol_choices(), (BLANK, _("None (create your own forms)"))],
    )
    overlap = forms.IntegerField(
        label=_("Ratings per item"),
        min_value=1,
        max_value=MOST_PLANNED_RATINGS_PER_ITEM,
        required=False,
        help_text=_(
            "Leave empty to use the protocol’s number. If you create your own forms, set it later under "
            "Settings, “Basic settings”."
        ),
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
            "CSV, TSV, XLSX, JSONL, JSON or Parquet with one row per item. In the next step, you choose what "
            "each column contains. You can also import items later."
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
    field_order = ["title", "protocol", "items", "pasted", "demo", "overlap", "apart"]

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
        if cleaned.get("demo") and cleaned.get("items"):
            self.add_error("items", _("Choose a file or demo items, not both."))
        if cleaned.get("protocol") == BLANK:
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
        if cleaned.get("overlap"):
            self.add_error(
                "overlap",
                _(
                    "Leave this empty, because the study has no form yet. Set it under Settings, “Basic "
                    "settings”, after you add a form."
                ),
            )

    def items_file(self) -> UploadedFile[Any] | None:
        """The file that was sent, or a file of the pasted rows."""
        sent: UploadedFile[Any] | None = self.cleaned_data["items"]
        if sent is not None or not self.cleaned_data["pasted"].strip():
            return sent
        name, content = file_from_pasted(self.cleaned_data["pasted"])
        return SimpleUploadedFile(name, content.encode(errors="surrogatepass"))


class CopyForm(forms.Form):
    """The title and items of a copy of a study."""

    title = forms.CharField(label=_("Title of the copy"), max_length=LONGEST_TITLE)
    with_items = forms.BooleanField(label=_("Copy items"), required=False)


class DefinitionForm(forms.Form):
    """A study's definition from a file."""

    file = forms.FileField(
        label=_("Definition file"),
        help_text=_("A YAML or JSON file, as exported from another study."),
        widget=forms.ClearableFileInput(attrs={"accept": ".yaml,.yml,.json"}),
    )
    title = forms.CharField(
        label=_("Title"),
        max_length=LONGEST_TITLE,
        required=False,
        help_text=_("Leave empty to use the title in the file."),
    )
