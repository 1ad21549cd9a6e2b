"""Items are sent to adjudication from the list of disagreement, which stays where it was."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.support.studies.adjudication_study import cases_of, look_for, make_case_study
from tests.support.studies.disagreement_study import client_of, figures_of

pytestmark = pytest.mark.django_db


def test_sending_selected_items_stays_on_the_filtered_list() -> None:
    study = make_case_study()
    look_for(study, "spread", "quality", bound="4")
    figures_of(study)
    client = client_of(study)
    before = cases_of(study).keys()
    there = reverse("study-disagreement", args=[study.slug]) + "?where=n_cannot%3C1&sort=-key"
    shown = client.get(there).content.decode()
    address = reverse("study-disagreement-adjudicate", args=[study.slug])
    assert f'formaction="{address}"' in shown
    sent = {"selected": "1", "next": there, "query": "where=quality.range>=2"}
    nothing = client.post(address, sent, follow=True)
    assert nothing.redirect_chain == [(there, 302)]
    assert "Select at least one item." in nothing.content.decode()
    assert cases_of(study).keys() == before
    done = client.post(address, {**sent, "item": ["I-1"]}, follow=True)
    assert done.redirect_chain == [(there, 302)]
    assert cases_of(study).keys() == before | {"I-1"}
    page = done.content.decode()
    cases = reverse("study-adjudication", args=[study.slug])
    assert f'1 item sent to adjudication. <a href="{cases}">Open the cases</a>' in page
