"""Disagreement over the API: the page's parameters give the page's items, rules run their whole course."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.domain.base.states import Role
from annotation.models import Exclusion, Rating, Study, User
from annotation.services.base.jobs import claim
from annotation.services.base.tokens import make_token
from annotation.services.people.members import add_member
from scoring.models import SavedView
from scoring.selectors.raters.item_figures import newest_set
from scoring.selectors.raters.item_matches import item_keys
from scoring.selectors.raters.item_query import read_view
from scoring.services.raters.exclusion_preview import compute_preview
from scoring.services.raters.item_figures import compute_figures
from scoring.services.raters.multiverse import compute_multiverse
from tests.support.studies.disagreement_study import HAUSER, make_study

pytestmark = pytest.mark.django_db
COMPUTE = {
    "item_figures": compute_figures,
    "exclusion_preview": compute_preview,
    "multiverse": compute_multiverse,
}


@pytest.fixture
def study() -> Study:
    return make_study()


@pytest.fixture
def owner(study: Study) -> APIClient:
    return client_of(study.memberships.get(role=Role.OWNER).user)


def client_of(user: User, scope: str = "write") -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(user=user, name='one', scopes=[scope])[1]}")
    return client


def start(client: APIClient, path: str) -> None:
    """Ask for long work and do it as a worker would."""
    answer = client.post(path)
    assert answer.status_code == 202, answer.json()
    lease = claim(job_id=answer.json()["id"])
    assert lease is not None
    COMPUTE[answer.json()["kind"]](lease=lease)
    assert client.get(answer.headers["Location"]).json()["state"] == "done"


def address(study: Study, what: str) -> str:
    return f"/api/v1/studies/{study.slug}/{what}"


def every(client: APIClient, path: str) -> Iterator[dict[str, Any]]:
    following: str | None = path
    while following:
        page = client.get(following).json()
        yield from page["results"]
        following = page["next"]


QUERIES = [
    "",
    "sort=system,-quality.sd",
    "split=any&sort=-quality.range",
    "split=quality&low=1&high=5",
    "where=quality.sd>0.5&where=creativity.mean>=2&sort=-creativity.from_alpha",
    "q=bus+3&system=human&state=included",
    "group=G04&sort=-key",
]


def test_the_parameters_of_the_page_list_the_items_of_the_page(study: Study, owner: APIClient) -> None:
    path = address(study, "disagreement/")
    assert owner.get(path).json()["code"] == "no_figures"
    start(owner, f"{path}figures/")
    made = newest_set(study)
    assert made is not None
    for query in QUERIES:
        found = list(every(owner, f"{path}?page_size=7&{query}"))
        request = owner.get(f"{reverse('study-disagreement', args=[study.slug])}?{query}").wsgi_request
        page = item_keys(made, read_view(request.GET, made))
        assert [row["item"] for row in found] == page, query
        assert found, query
    row = owner.get(f"{path}?sort=key&page_size=1").json()["results"][0]
    stored = made.summaries.get(key=row["item"]).figures.get(criterion="quality")
    assert (row["criteria"]["quality"]["sd"], row["criteria"]["quality"]["n"]) == (stored.sd, stored.n)
    assert owner.get(f"{path}figures/").json()["stale"] is False


@pytest.mark.parametrize(
    "query",
    ["sort=worth", "where=quality.sd", "split=worth", "low=x", "state=gone", "metric=none", "order=key"],
)
def test_a_view_that_cannot_be_read_is_refused_whole(study: Study, owner: APIClient, query: str) -> None:
    start(owner, address(study, "disagreement/figures/"))
    answer = owner.get(f"{address(study, 'disagreement/')}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_a_rule_is_declared_previewed_applied_and_lifted(study: Study, owner: APIClient) -> None:
    before = list(Rating.objects.order_by("pk").values())
    declaration = {"name": "HAUSER's", "reason": "as published", "conditions": HAUSER}
    rule = owner.post(address(study, "exclusion-rules/"), declaration, format="json").json()
    own = address(study, f"exclusion-rules/{rule['id']}/")
    assert (rule["n_standing"], rule["before_opening"]) == (0, False)
    assert owner.get(f"{own}preview/").status_code == 404
    assert owner.post(f"{own}apply/").json()["code"] == "preview_stale"
    start(owner, f"{own}preview/")
    preview = owner.get(f"{own}preview/").json()
    caught = preview["caught"]["items"]
    assert caught
    assert preview["fresh"]
    assert {"random_low", "random_high", "shuffled_after"} <= preview["selection"][0].keys()
    assert owner.post(f"{own}apply/").json()["n_standing"] == len(caught)
    active = Exclusion.objects.filter(study=study, lift__isnull=True)
    assert sorted(active.values_list("item__key", flat=True)) == sorted(caught)
    assert owner.post(f"{own}lift/", {"reason": "looked again"}, format="json").json()["n_standing"] == 0
    assert owner.post(f"{own}lift/", {}, format="json").json()["code"] == "nothing_to_lift"
    assert list(Rating.objects.order_by("pk").values()) == before
    assert [one["key"] for one in owner.get(address(study, "exclusion-rules/")).json()] == [rule["key"]]


@pytest.mark.parametrize(
    "conditions",
    [
        [{"kind": ["opposition"]}],
        [{"kind": "opposition", "criterion": "quality", "low": 4, "high": 2}],
        [{"kind": "opposition", "criterion": ["quality"], "low": 2, "high": 4}],
        [{"kind": "hand_picked", "items": ["\x00"]}],
        [{"kind": "hand_picked", "responses": [10**30]}],
        [{"kind": "hand_picked", "items": []}],
        [{"kind": "too_few_ratings", "fewest": 10**400}],
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(
    study: Study, owner: APIClient, conditions: list[dict[str, Any]]
) -> None:
    declaration = {"name": "One", "reason": "why", "conditions": conditions}
    answer = owner.post(address(study, "exclusion-rules/"), declaration, format="json")
    assert answer.status_code == 422, answer.json()
    assert not study.exclusion_rules.exists()


def test_a_researcher_with_the_right_declares_previews_and_applies(study: Study) -> None:
    actor = study.memberships.get(role=Role.OWNER).user
    user = User.objects.create_user("researcher@example.org")
    add_member(study=study, user=user, role=Role.RESEARCHER, actor=actor)
    declaration = {"name": "HAUSER's", "reason": "as published", "conditions": HAUSER}
    researcher, reader = client_of(user), client_of(actor, "read")
    assert reader.post(address(study, "exclusion-rules/"), declaration, format="json").status_code == 403
    assert researcher.post(address(study, "exclusion-rules/"), declaration, format="json").status_code == 403
    add_member(study=study, user=user, role=Role.RESEARCHER, actor=actor, declares_rules=True)
    rule = researcher.post(address(study, "exclusion-rules/"), declaration, format="json").json()
    own = address(study, f"exclusion-rules/{rule['id']}/")
    start(researcher, f"{own}preview/")
    assert reader.get(f"{own}preview/").status_code == 200
    assert researcher.post(f"{own}apply/").status_code == 200


def test_a_view_is_saved_replaced_and_deleted(study: Study, owner: APIClient) -> None:
    path = address(study, "disagreement/views/")
    owner.post(path, {"name": "Split", "query": "?split=any"}, format="json")
    saved = owner.post(path, {"name": "Split", "query": "split=quality&sort=-apart"}, format="json")
    assert saved.status_code == 201
    assert [(one["name"], one["query"]) for one in owner.get(path).json()] == [
        ("Split", "split=quality&sort=-apart")
    ]
    assert owner.delete(f"{path}{saved.json()['id']}/").status_code == 204
    assert not SavedView.objects.exists()


def test_the_multiverse_and_the_raters_have_the_figures_of_the_pages(study: Study, owner: APIClient) -> None:
    path = address(study, "multiverse/")
    assert owner.get(path).status_code == 404
    start(owner, path)
    table = owner.get(path).json()
    assert table["worlds"][0]["key"] == "none"
    assert table["stale"] is False
    start(owner, address(study, "disagreement/figures/"))
    severe = list(every(owner, f"{address(study, 'raters/figures/')}?sort=-severity&page_size=2"))
    known = [row["severity"] for row in severe if row["severity"] is not None]
    assert known == sorted(known, reverse=True)
    assert len(severe) == study.raters.count()
    a, b = severe[0]["rater"], severe[1]["rater"]
    both = owner.get(f"{address(study, 'raters/compared/')}?a={a}&b={b}").json()
    assert [one["criterion"] for one in both["criteria"]] == ["quality", "creativity"]
    assert owner.get(f"{address(study, 'raters/compared/')}?a={a}&b={a}").status_code == 400
