"""Items are sent to adjudication from the list of disagreement, which stays where it was."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Exclusion
from tests.support.studies.adjudication_study import cases_of, look_for, make_case_study, owner_of
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


def test_the_page_of_an_item_sends_it_once_and_only_where_something_counts() -> None:
    study = make_case_study()
    client = client_of(study)
    there = reverse("study-item", args=[study.slug, "I-1"])
    send = reverse("study-adjudication-send", args=[study.slug])
    button = f'action="{send}"'
    assert button in client.get(there).content.decode()
    done = client.post(send, {"item": ["I-1"], "next": there}, follow=True)
    page = done.content.decode()
    assert (done.redirect_chain, "1 item sent to adjudication." in page) == ([(there, 302)], True)
    assert "to decide" in page
    assert button not in page, "it is there already"
    again = client.post(send, {"item": ["I-1"], "next": there}, follow=True).content.decode()
    assert "Already in adjudication: 1." in again
    assert "0 items sent" not in again
    study.cases.update(state="withdrawn")
    assert button in client.get(there).content.decode()
    item = study.items.get(key="I-1")
    Exclusion.objects.create(study=study, item=item, rule="by_hand", reason="Odd.", author=owner_of(study))
    assert button not in client.get(there).content.decode(), "nothing of it counts"
