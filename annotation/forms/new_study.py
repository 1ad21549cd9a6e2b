"""The form by which a study begins."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.domain.base.limits import LONGEST_TITLE, MOST_PLANNED_RATINGS_PER_ITEM
from annotation.io.items.pasted_rows import file_from_pasted
from annotation.protocols.registry import TEMPLATES

BLANK = "blank"
LONGEST_PASTED = 500_000
TABLE_FILES = ".csv,.tsv,.jsonl,.json,.xlsx,.parquet"


class NewStudyForm(forms.Form):
    """A study begins with a title, a protocol or none, and items of its own, the demo items or none yet."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    protocol = forms.ChoiceField(
        label=_("Protocol"),
        choices=[
            *((key, template.title) for key, template in TEMPLATES.items()),
            (BLANK, _("None: forms of my own")),
        ],
    )
    overlap = forms.IntegerField(
        label=_("Ratings each item needs"),
        min_value=1,
        max_value=MOST_PLANNED_RATINGS_PER_ITEM,
        required=False,
        help_text=_(
            "Empty: as many as the protocol has. Forms of your own: set it later under Settings, "
            "“Texts and numbers”."
        ),
    )
    apart = forms.BooleanField(
        label=_("Ask each criterion apart"),
        required=False,
        help_text=_("One criterion a page, each item once for each criterion; not with demo items."),
    )
    demo = forms.BooleanField(
        label=_("With demo items"),
        required=False,
        help_text=_("Made up for trying the protocol; no file is needed then."),
    )
    items = forms.FileField(
        label=_("Items"),
        required=False,
        help_text=_(
            "CSV, TSV, XLSX, JSONL, JSON or Parquet, one row per item. Next, you choose what the columns "
            "contain. You can also import items later."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": TABLE_FILES}),
    )
    pasted = forms.CharField(
        label=_("Pasted rows"),
        required=False,
        max_length=LONGEST_PASTED,
        strip=False,
        help_text=_("Rows copied from a spreadsheet with their header, or one text per line."),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    field_order = ["title", "protocol", "items", "pasted", "demo", "overlap", "apart"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "items" in self.errors:
            return cleaned
        if cleaned.get("demo") and cleaned.get("apart"):
            self.add_error("apart", _("Demo items come with the criteria as the protocol asks them."))
        if (cleaned.get("pasted") or "").strip() and (cleaned.get("items") or cleaned.get("demo")):
            self.add_error("pasted", _("Give the items once: in a file, as pasted rows, or as demo items."))
        if cleaned.get("demo") and cleaned.get("items"):
            self.add_error("items", _("Choose a file or the demo items, not both."))
        if cleaned.get("protocol") == BLANK:
            self._refuse_settings_of_protocols(cleaned)
        return cleaned

    def _refuse_settings_of_protocols(self, cleaned: dict[str, Any]) -> None:
        """What only a protocol’s forms have is not dropped in silence."""
        if cleaned.get("demo"):
            self.add_error("demo", _("Demo items belong to a protocol: choose one."))
        if cleaned.get("apart"):
            self.add_error("apart", _("Only the criteria of a protocol can be asked apart: choose one."))
        if cleaned.get("overlap"):
            self.add_error(
                "overlap",
                _(
                    "Leave it empty: there is no form yet that could keep this number. Set it after you have "
                    "added a form, under Settings, “Texts and numbers”."
                ),
            )

    def items_file(self) -> UploadedFile[Any] | None:
        """The file that was sent, or the one that the pasted rows would be."""
        sent: UploadedFile[Any] | None = self.cleaned_data["items"]
        if sent is not None or not self.cleaned_data["pasted"].strip():
            return sent
        name, content = file_from_pasted(self.cleaned_data["pasted"])
        return SimpleUploadedFile(name, content.encode(errors="surrogatepass"))


class CopyForm(forms.Form):
    """A draft like a study."""

    title = forms.CharField(label=_("Title of the copy"), max_length=LONGEST_TITLE)
    with_items = forms.BooleanField(label=_("With its items"), required=False)


class DefinitionForm(forms.Form):
    """A study's definition from a file."""

    file = forms.FileField(
        label=_("Definition"),
        help_text=_("YAML or JSON, as another study’s definition is written."),
        widget=forms.ClearableFileInput(attrs={"accept": ".yaml,.yml,.json"}),
    )
    title = forms.CharField(
        label=_("Title"),
        max_length=LONGEST_TITLE,
        required=False,
        help_text=_("Empty: that of the definition."),
    )
