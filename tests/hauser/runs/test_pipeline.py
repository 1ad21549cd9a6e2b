"""The scores of candidates, from texts to ranks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from scoring.hauser.base.candidates import Group, Scored, Simile
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.components.built_in import extract
from scoring.hauser.knowledge.corpus_build import build_from_components
from scoring.hauser.knowledge.file_format import Source
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.metrics.quality import Weights
from scoring.hauser.runs.pipeline import Tools, score_groups
from scoring.hauser.runs.score_trace import components_from

LITERAL = "The bus climbed the hill."
VEHICLES = ("a snail", "an arrow", "a kite")
KNOWN = ("The bus crept like a snail.", "The bus crept like a snail.", "The bus flew like an arrow.")


@dataclass(frozen=True)
class Answered:
    probabilities: dict[str, float]
    truncated: bool = False
    reason: str = ""


@dataclass
class Classifier:
    """Probabilities that follow from the length of a text; it remembers what it was asked."""

    labels: tuple[str, ...]
    asked: list[list[object]] = field(default_factory=list)

    def __call__(self, texts: Sequence[object]) -> list[Answered]:
        self.asked.append(list(texts))
        return [self._answer(len("".join(text) if isinstance(text, tuple) else str(text))) for text in texts]

    def _answer(self, length: int) -> Answered:
        first = 1 / (1 + length)
        others = [(1 - first) / (len(self.labels) - 1)] * (len(self.labels) - 1)
        return Answered(dict(zip(self.labels, [first, *others], strict=True)), truncated=length > 1000)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("base")
    target = folder / "small.kb.sqlite3"
    source = Source("three similes", 3, "0" * 64)
    build_from_components(map(extract, KNOWN), target, folder / "staged", software="test", source=source)
    return KnowledgeBase(target)


@pytest.fixture
def tools(base: KnowledgeBase) -> Tools:
    nli = Classifier(("CONTRADICTION", "NEUTRAL", "ENTAILMENT"))
    return Tools(extract, base, nli=nli, sentiment=Classifier(("NEGATIVE", "POSITIVE")))


def group(key: str = "g1", **texts: str) -> Group:
    similes = {f"c{n}": f"The bus climbed the hill like {vehicle}." for n, vehicle in enumerate(VEHICLES)}
    return Group(key, tuple(Simile(name, text, LITERAL) for name, text in {**similes, **texts}.items()))


def by_key(scored: list[list[Scored]]) -> dict[str, Scored]:
    return {one.key: one for members in scored for one in members}


def test_quality_is_the_weighted_sum_of_parts_normalised_over_all_candidates(tools: Tools) -> None:
    found = by_key(score_groups([group()], tools))
    assert {key: one.scores["relevance"].value for key, one in found.items()} == {"c0": 2, "c1": 1, "c2": 0}
    for one in found.values():
        parts = [one.scores[f"{part}_normalised"].value for part in ("relevance", "logic", "sentiment")]
        weighed = sum(w * (part or 0) for w, part in zip((3 / 6, 2 / 6, 1 / 6), parts, strict=True))
        assert one.scores["quality"].value == pytest.approx(weighed)
        assert one.explanation["quality"]["parts"]["relevance"] == parts[0]
        assert one.explanation["normalised"]["relevance"]["high"] == 2


def test_the_explanation_is_plain_json_with_the_triples_and_components_that_were_used(tools: Tools) -> None:
    one = by_key(score_groups([group()], tools))["c0"]
    explanation = json.loads(json.dumps(one.explanation, allow_nan=False))
    assert explanation["relevance"]["pairs"][0]["frequency"] == 2
    assert explanation["relevance"]["pairs"][0]["found"]
    assert explanation["sentiment"]["simile"]["text"] == "The bus climbed the hill like a snail"
    assert components_from(explanation["components"]) == one.components
    assert one.components.pairs[0].vehicle.text == "a snail"


def test_equal_texts_are_asked_once_and_all_groups_in_one_call(tools: Tools) -> None:
    score_groups([group("g1"), group("g2"), group("g3")], tools)
    for classifier in (tools.nli, tools.sentiment):
        assert isinstance(classifier, Classifier)
        (asked,) = classifier.asked
        assert len(asked) == len(set(asked))
    assert isinstance(tools.nli, Classifier)
    assert tools.nli.asked == [[(LITERAL, simile.text) for simile in group().candidates]]


def test_without_models_quality_is_named_after_what_it_lacks_and_ranks_still_come(tools: Tools) -> None:
    bare = replace(tools, nli=None, sentiment=None, no_models="models_not_installed")
    one = by_key(score_groups([group()], bare))["c0"]
    assert one.scores["logic"].reason == "models_not_installed"
    assert (one.scores["quality"].value, one.scores["quality"].reason) == (None, "no_logic_sentiment")
    assert one.scores["quality[-logic-sentiment]"].value == pytest.approx(0.5)
    assert one.scores["combined"].value is not None


def test_a_part_of_no_weight_is_not_missed(tools: Tools) -> None:
    alone = replace(tools, nli=None, sentiment=None, weights=Weights(1, 0, 0))
    assert by_key(score_groups([group()], alone))["c1"].scores["quality"].value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "reason"), [("", "empty_text"), (" \n", "empty_text"), ("A\x07bus", "control_characters")]
)
def test_a_text_that_cannot_be_read_has_a_reason_everywhere_and_changes_no_other(
    tools: Tools, text: str, reason: str
) -> None:
    found, usual = by_key(score_groups([group(bad=text)], tools)), by_key(score_groups([group()], tools))
    bad = {name: score.reason for name, score in found["bad"].scores.items()}
    assert {bad[name] for name in ("relevance", "logic", "sentiment", "creativity")} == {reason}
    assert bad["combined"]
    assert all(score.value is None for score in found["bad"].scores.values())
    assert found["c0"].scores == usual["c0"].scores


def test_without_a_group_nothing_is_normalised_and_without_a_literal_nothing_is_compared(
    tools: Tools,
) -> None:
    lonely = Group("", (Simile("x", "The bus crept like a snail."),))
    scores = by_key(score_groups([lonely], tools))["x"].scores
    assert scores["relevance"].value == 2
    assert scores["relevance_normalised"].reason == "no_group"
    assert scores["logic"].reason == scores["sentiment"].reason == "no_literal"
    assert scores["quality"].reason == "no_parts"


def test_a_group_of_one_has_half_of_everything(tools: Tools) -> None:
    only = Group("g1", group().candidates[:1])
    assert by_key(score_groups([only], tools))["c0"].scores["quality"].value == pytest.approx(0.5)


def test_candidates_that_lack_a_part_that_others_have_are_not_ranked_with_them(tools: Tools) -> None:
    nameless = Extraction((Components(None, Part("a drum", 29, 35)),))
    last = Simile("d", "The bus climbed the hill like a drum.", LITERAL, given=nameless)
    found = by_key(score_groups([Group("g1", (*group().candidates, last))], tools))
    assert found["d"].scores["quality"].reason == "no_relevance"
    assert found["d"].scores["quality[-relevance]"].value is not None
    assert found["d"].scores["combined"].reason == "other_quality"
    assert all(max(found[key].explanation["combined"]["ranks"].values()) <= 3 for key in ("c0", "c1", "c2"))


def test_given_components_are_taken_instead_of_the_extracted_ones(tools: Tools) -> None:
    given = Extraction((Components(Part("bus", 4, 7), Part("an arrow")),))
    simile = replace(group().candidates[0], given=given, source="corrected")
    one = by_key(score_groups([Group("g1", (simile,))], tools))["c0"]
    assert (one.source, one.explanation["creativity"]["vehicles"][0]["vehicle"]) == ("corrected", "arrow")


LONG = " ".join(["The bus climbed the hill like a snail"] * 1300)


def test_scores_of_a_text_of_which_a_model_saw_the_beginning_are_flagged_with_what_follows_from_them(
    tools: Tools,
) -> None:
    found = by_key(score_groups([group(long=LONG)], tools))
    assert set(found["long"].truncated) == {"logic", "logic_normalised", "quality", "combined"}
    assert not found["c0"].truncated
    assert set(found["long"].explanation["truncated"]) == set(found["long"].truncated)


def test_a_quality_is_not_flagged_for_a_part_that_it_is_not_made_of(tools: Tools) -> None:
    without = replace(tools, weights=Weights(1, 0, 1))
    assert set(by_key(score_groups([group(long=LONG)], without))["long"].truncated) == {
        "logic",
        "logic_normalised",
    }
    nameless = Simile("long", LONG, LITERAL, given=Extraction((Components(None, Part("a snail", 29, 36)),)))
    one = by_key(score_groups([Group("g1", (*group().candidates, nameless))], tools))["long"]
    assert "quality[-relevance]" in one.truncated
    assert not {"quality", "combined"} & set(one.truncated)


def test_prior_metrics_are_computed_and_those_of_quality_are_normalised(tools: Tools) -> None:
    asked = replace(tools, metrics=("length", "bleu_1"))
    scores = by_key(score_groups([group()], asked))["c0"].scores
    assert scores["length"].value == 9
    assert scores["bleu_1_normalised"].reason == scores["bleu_1"].reason
    assert scores["bleu_1"].reason in {"no_reference", "metric_library_missing"}
