"""`/studies/<study>/disagreement/rules/`: declaring, previewing, applying and lifting exclusion rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views import View

from annotation.domain.base.errors import GroundworkError
from annotation.domain.quality.exclusion_rules import KINDS
from annotation.models import Study
from annotation.permissions import Access, Act
from annotation.selectors.questions.counting import lacks_ratings
from annotation.services.quality.exclusion_rules import declare_rule
from annotation.templatetags.rater_words import translated
from annotation.views.base.downloads import file_response
from annotation.views.base.page import refusal_shown, shown_page, study_page
from scoring.io.latex import before_after_table, latex_table, with_interval
from scoring.selectors.base.reports import unfinished_job
from scoring.selectors.data.answers import criterion_names
from scoring.selectors.raters import rule_pages
from scoring.selectors.raters.rules import (
    RuleRow,
    is_fresh,
    latest_preview,
    matched_raters,
    rule_row,
    rule_rows,
)
from scoring.services.raters.exclusion_preview import KIND, request_preview
from scoring.services.raters.rule_application import apply_as_previewed, lift_and_request_figures
from scoring.stats.data.scale import Scale
from scoring.stats.raters.disagreement import opposition_bounds, ratio_opposition_bounds
from scoring.views.base.downloads import attachment
from scoring.views.base.page import page

RATERS_NAMED = 20
HAUSER = ("lacks_context", "opposition")
AGREEMENT = (
    "criterion",
    "figure",
    *(
        f"{part}_{key}"
        for part in ("before", "after")
        for key in ("estimate", "low", "high", "n_items", "n_raters")
    ),
)
TABLE_2 = ("setting", "criterion", "pearson_mean", "pearson_max", "spearman_mean", "spearman_max")


@method_decorator(study_page(get=Act.VIEW, post=Act.RULES), name="dispatch")
class RulesView(View):
    """The rules of a study, and a form for another one."""

    def get(self, request: HttpRequest, access: Access) -> HttpResponse:
        return self._page(request, access, _blank(access.study, request.GET), 200)

    def post(self, request: HttpRequest, access: Access) -> HttpResponse:
        sent, scales = request.POST, criterion_names(access.study)[1]
        try:
            rule = declare_rule(
                study=access.study,
                name=sent.get("name", ""),
                conditions=_conditions(sent),
                reason=sent.get("reason", ""),
                criteria=list(scales),
                on_ratios=[name for name, scale in scales.items() if scale.logarithmic],
                actor=access.user,
            )
        except GroundworkError as refusal:
            messages.error(request, translated(refusal.message))
            return self._page(request, access, _filled(list(scales), sent), 422)
        if lacks_ratings(access.study):
            messages.success(request, _("Rule declared. You can preview it once there are ratings."))
        else:
            request_preview(rule=rule, actor=access.user)
        return redirect("study-rule", slug=access.slug, pk=rule.pk)

    def _page(self, request: HttpRequest, access: Access, form: dict[str, Any], status: int) -> HttpResponse:
        shown = shown_page(request, rule_rows(access.study))
        context = {**page(access, "rules"), "rules": shown, "form": form}
        return render(request, "scoring/raters/rules.html", context, status=status)


@method_decorator(study_page(get=Act.VIEW, post=Act.VIEW), name="dispatch")
class RuleView(View):
    """One rule: what it would do, applying and lifting it."""

    def get(self, request: HttpRequest, access: Access, pk: int) -> HttpResponse:
        row = _row(access.study, pk)
        preview = latest_preview(row.rule)
        context: dict[str, Any] = {
            **page(access, "rules"),
            "row": row,
            "job": unfinished_job(access.study, KIND, params={"rule": pk}),
            "preview": preview,
            "fresh": preview is not None and is_fresh(row.rule, preview),
            "past": row.rule.exclusions.filter(lift__isnull=False).count() if row.n_ever else 0,
        }
        if preview is not None:
            n_caught = sum(len(keys) for keys in preview.tables["caught"].values())
            caught_raters = matched_raters(preview)
            means = rule_pages.mean_rows(preview)
            decides = bool(row.applied or (context["fresh"] and n_caught))
            context |= {
                "n_caught": n_caught,
                "caught_raters": caught_raters[:RATERS_NAMED],
                "n_more_raters": max(0, len(caught_raters) - RATERS_NAMED),
                "may_decide": access.may_declare_rules and decides,
                "counts": rule_pages.count_rows(preview),
                "agreement": rule_pages.agreement_rows(preview),
                "conditions": rule_pages.condition_rows(row, preview),
                "sequence": rule_pages.sequence_rows(row, preview),
                "means": means,
                "any_geometric": any(one["geometric"] for one in means),
                "metrics": rule_pages.metric_rows(preview),
                "table_2": rule_pages.table_2_rows(preview),
                "slopes": rule_pages.slopes(preview),
            }
        return render(request, "scoring/raters/rule.html", context)

    def post(self, request: HttpRequest, access: Access, pk: int) -> HttpResponse:
        act = request.POST.get("act")
        if act not in {"preview", "apply", "lift"}:
            raise BadRequest("The act must be preview, apply or lift.")
        if act != "preview":
            access.require(Act.RULES)
        row = _row(access.study, pk)
        with refusal_shown(request):
            if act == "preview":
                request_preview(rule=row.rule, actor=access.user)
            else:
                message = _apply(row, access) if act == "apply" else _lift(row, access, request.POST)
                messages.success(request, message)
        return redirect("study-rule", slug=access.slug, pk=pk)


@study_page(get=Act.VIEW)
def download(request: HttpRequest, access: Access, pk: int, what: str, file_format: str) -> HttpResponseBase:
    """A table of the newest preview: `table-2` or `before-after`, as `csv` or `tex`."""
    row = _row(access.study, pk)
    preview = latest_preview(row.rule)
    if preview is None or what not in {"table-2", "before-after"} or file_format not in {"csv", "tex"}:
        raise Http404("This table does not exist, or the rule has not been previewed yet.")
    name = f"{access.slug}-{row.rule.key}-{what}"
    when = "declared before" if row.rule.before_opening else "declared after"
    caption = (
        f"{access.study.title}: inter-rater agreement before and after the rule “{row.rule.name}” "
        f"({'; '.join(row.words)}), {when} opening. Computed by {preview.software}."
    )
    if what == "table-2":
        rows = rule_pages.table_2_rows(preview)
        if file_format == "tex":
            text = before_after_table(rows, f"{caption} Bold: lowest value of each block.")
            return attachment(text, "application/x-tex", f"{name}.tex")
        plain = [
            dict(zip(TABLE_2, (one["setting"], one["criterion"], *_figures(one)), strict=True))
            for one in rows
        ]
        return file_response((TABLE_2, plain), "csv", name)
    table = rule_pages.agreement_rows(preview)
    if file_format == "csv":
        return file_response(
            (AGREEMENT, [{key: one[key] for key in AGREEMENT} for one in table]), "csv", name
        )
    columns = [(key, key.replace("_", " ")) for key in AGREEMENT]
    text = latex_table(with_interval(columns, preview.figures), table, caption)
    return attachment(text, "application/x-tex", f"{name}.tex")


def _figures(row: dict[str, Any]) -> list[float | None]:
    return [cell["value"] for cell in row["cells"]]


def _row(study: Study, pk: int) -> RuleRow:
    found = rule_row(study, pk)
    if found is None:
        raise Http404("This rule does not exist in this study.")
    return found


def _apply(row: RuleRow, access: Access) -> str:
    n = apply_as_previewed(rule=row.rule, actor=access.user)
    applied = ngettext("Rule applied: %(n)d exclusion.", "Rule applied: %(n)d exclusions.", n)
    return applied % {"n": n}


def _lift(row: RuleRow, access: Access, sent: QueryDict) -> str:
    n = lift_and_request_figures(rule=row.rule, reason=sent.get("reason", ""), actor=access.user)
    return ngettext("%(n)d exclusion lifted.", "%(n)d exclusions lifted.", n) % {"n": n}


def _conditions(sent: QueryDict) -> list[dict[str, Any]]:
    return [
        {"kind": kind.key}
        | {setting.name: sent.get(f"{kind.key}-{setting.name}") for setting in kind.settings}
        for kind in KINDS.values()
        if sent.get(f"use-{kind.key}")
    ]


def _blank(study: Study, asked: QueryDict) -> dict[str, Any]:
    """The form with the usual values; HAUSER's two conditions chosen where the address asks for them."""
    preset = HAUSER if asked.get("preset") == "hauser" else ()
    _names, scales = criterion_names(study)
    name, reason = (_("HAUSER’s rule"), _("Published exclusion rule, quality only")) if preset else ("", "")
    values: dict[str, Any] = {}
    if scales:
        first = "quality" if "quality" in scales else next(iter(scales))
        low, high = _quarters(scales[first])
        values = {"opposition-low": f"{low:g}", "opposition-high": f"{high:g}", "opposition-criterion": first}
    return {**_form(name, reason, set(preset), values), "criteria": list(scales)}


def _quarters(scale: Scale) -> tuple[float, float]:
    """The bounds of opposed ratings as raters give them."""
    if not scale.logarithmic:
        return opposition_bounds(scale.low, scale.high)
    low, high = ratio_opposition_bounds(math.exp(scale.low), math.exp(scale.high))
    return float(f"{low:.2g}"), float(f"{high:.2g}")


def _filled(criteria: Sequence[str], sent: QueryDict) -> dict[str, Any]:
    used = {kind for kind in KINDS if sent.get(f"use-{kind}")}
    return {**_form(sent.get("name", ""), sent.get("reason", ""), used, sent), "criteria": criteria}


def _form(name: str, reason: str, used: set[str], values: Any) -> dict[str, Any]:
    conditions = []
    for kind in KINDS.values():
        settings = []
        for setting in kind.settings:
            field = f"{kind.key}-{setting.name}"
            default = "" if setting.default is None else f"{setting.default:g}"
            settings.append(
                {
                    "field": field,
                    "label": setting.label,
                    "kind": setting.kind,
                    "value": values.get(field, default),
                }
            )
        conditions.append(
            {
                "key": kind.key,
                "label": kind.label,
                "note": kind.note,
                "used": kind.key in used,
                "settings": settings,
            }
        )
    return {"name": name, "reason": reason, "conditions": conditions}
