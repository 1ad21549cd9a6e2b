"""The form that sets up adaptive pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.base.limits import MOST_COMPARISONS
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.seats.pairing import MOST_PER_ROUND
from annotation.models import FormVersion
from annotation.protocols.template import PairingTemplate
from annotation.selectors.studies.definition import pairing_template


class PairingForm(forms.Form):
    """The question by which pairs are chosen, and the numbers of comparisons in all and per round."""

    criterion = forms.ChoiceField(label=gettext_lazy("Ratings"), required=False)
    budget = forms.IntegerField(
        label=gettext_lazy("Comparisons in all"), min_value=1, max_value=MOST_COMPARISONS, required=False
    )
    per_round = forms.IntegerField(
        label=gettext_lazy("Comparisons per round"), min_value=1, max_value=MOST_PER_ROUND, required=False
    )

    def __init__(self, version: FormVersion, data: Any = None) -> None:
        stored = pairing_template(version.form)
        super().__init__(data, initial=None if stored is None else vars(stored))
        compared = [one for one in version.criteria.all() if one.question_kind.yields is Yields.PREFERENCE]
        self.compares = bool(compared)
        criterion: Any = self.fields["criterion"]
        criterion.choices = [
            ("", _("the same number for each pair")),
            *(
                (one.key, _("where the order is open, by “%(name)s”") % {"name": one.name})
                for one in compared
            ),
        ]

    def clean(self) -> dict[str, Any]:
        """Both numbers are needed where pairs are chosen."""
        given = self.cleaned_data
        if given.get("criterion"):
            for name in ("budget", "per_round"):
                if name in given and given[name] is None:
                    self.add_error(name, _("Enter a number."))
        return given

    def pairing(self) -> PairingTemplate | None:
        """The chosen settings; None for the same number of ratings for each pair."""
        given = self.cleaned_data
        if not given["criterion"]:
            return None
        return PairingTemplate(given["criterion"], given["budget"], given["per_round"])
