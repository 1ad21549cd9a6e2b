"""Every equation of HAUSER's section 3 against figures worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hauser.base.parts import Extraction
from scoring.hauser.base.scores import MetricError, Score
from scoring.hauser.components.classifier_input import Cut
from scoring.hauser.metrics.combine import combine
from scoring.hauser.metrics.creativity import creativity
from scoring.hauser.metrics.informativeness import informativeness
from scoring.hauser.metrics.logic import logical_consistency
from scoring.hauser.metrics.normalisation import normalise
from scoring.hauser.metrics.quality import BEST, Weights, quality
from scoring.hauser.metrics.relevance import relevance
from scoring.hauser.metrics.sentiment import sentiment_consistency
from tests.hauser.bases import counted, imported, simile, table

TRIPLES = table(
    [
        ("hope", "steady", "old tower", 3, 0.5),
        ("hope", "fragile", "old tower", 2, 0.25),
        ("hope", "warm", "sun", 4, 1),
        ("face", "grey", "old tower", 7, 0.1),
    ]
)
SIMPLE = [simile(("hope", "tower"))] * 3 + [simile(("hope", "sun")), simile(("face", "tower"))]
NOTHING = Extraction((), "no_comparator")
TEXT = Cut("text")
values = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8)


def of(value: float | None, reason: str = "") -> Score:
    return Score(value=value, reason=reason or ("" if value is not None else "not_there"))


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    with imported(tmp_path_factory.mktemp("triples"), TRIPLES) as base:
        yield base


class TestRelevance:
    def test_equation_2_sums_frequency_times_plausibility_over_the_properties(self, base):
        found = relevance(simile(("My Hope", "a tall, old tower"), ("hope", "the sun")), base)
        # 3 · 0.5 + 2 · 0.25 = 2 for the tower when it is found, 4 · 1 for the sun.
        assert relevance(simile(("hope", "old tower")), base).value == pytest.approx(2.0)
        assert found.value == pytest.approx((0 + 4) / 2)
        assert found.formula == "eq. (2)"
        assert [(pair.topic, pair.vehicle, pair.triples) for pair in found.pairs] == [
            ("hope", "tall, old tower", 0),
            ("hope", "sun", 1),
        ]

    def test_equation_3_counts_where_the_base_has_no_plausibilities(self, tmp_path):
        with counted(tmp_path, SIMPLE) as base:
            found = relevance(simile(("hope", "a tower"), ("hope", "the sun")), base)
        assert found.value == pytest.approx((3 + 1) / 2)
        assert found.formula == "eq. (3)"
        assert found.pairs[0].weighted is None

    def test_a_pair_without_a_topic_is_no_pair(self, base):
        assert relevance(simile((None, "sun"), ("hope", "sun")), base).value == pytest.approx(4)
        for topic in (None, "-"):
            alone = relevance(simile((topic, "sun")), base)
            assert (alone.value, alone.reason) == (None, "no_topic")

    def test_without_components_the_extractors_reason_is_given(self, base):
        assert relevance(NOTHING, base).reason == "no_comparator"
        assert relevance(Extraction(()), base).reason == "no_components"

    def test_an_unknown_pair_counts_nothing_and_is_no_missing_value(self, base):
        assert relevance(simile(("stone", "sun")), base).value == 0.0


class TestCreativity:
    def test_equations_8_and_9(self, base):
        # N is 3 + 2 + 7 = 12 for the tower and 4 for the sun.
        found = creativity(simile(("hope", "a old tower"), ("hope", "the sun")), base)
        assert found.value == pytest.approx(-math.log((12 + 4) / 2 + 1))
        assert list(found.vehicles) == [("old tower", 12), ("sun", 4)]

    def test_a_vehicle_of_no_simile_has_the_highest_value_of_all(self, base):
        found = creativity(simile((None, "a cathedral")), base)
        assert str(found.value) == "0.0"

    def test_without_a_vehicle_there_is_a_reason(self, base):
        assert creativity(NOTHING, base).reason == "no_comparator"
        assert creativity(simile(("hope", "-")), base).reason == "no_words"


@pytest.mark.parametrize(
    ("vehicles", "words"),
    [
        (["a child"], 2.0),
        (["the eyes of an angry cat", "wolf"], 3.5),
        (["a well-fed cat"], 3.0),
        (["the smell , then , of bread"], 5.0),
        (["一朵花"], 3.0),
        (["-", "a wolf"], 2.0),
    ],
)
def test_informativeness_is_the_mean_number_of_words(vehicles, words):
    assert informativeness(simile(*[("it", vehicle) for vehicle in vehicles])).value == words


def test_informativeness_without_words_has_a_reason():
    assert informativeness(NOTHING).reason == "no_comparator"
    assert informativeness(simile(("it", "-"))).reason == "no_words"


class TestLogic:
    @pytest.mark.parametrize("label", ["contradiction", "CONTRADICTION", "Contradictory"])
    def test_equation_4_finds_the_label_by_name_in_any_position(self, label):
        for order in ((label, "neutral", "entailment"), ("entailment", label, "neutral")):
            given = dict.fromkeys(order, 0.15) | {label: 0.7}
            found = logical_consistency(given)
            assert found.value == pytest.approx(0.3)
            assert found.label == label

    @pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1"), ("entailment", "not_contradiction")])
    def test_a_model_without_the_label_is_refused_with_its_labels(self, labels):
        with pytest.raises(MetricError, match=labels[0]) as caught:
            logical_consistency(dict.fromkeys(labels, 0.5))
        assert caught.value.code == "no_such_label"

    def test_a_model_with_two_such_labels_is_refused(self):
        with pytest.raises(MetricError) as caught:
            logical_consistency({"contradiction": 0.5, "CONTRADICTION": 0.5})
        assert caught.value.code == "several_labels"

    @pytest.mark.parametrize("share", [0.9, -0.1, math.nan])
    def test_what_is_no_distribution_is_refused(self, share):
        with pytest.raises(MetricError) as caught:
            logical_consistency({"contradiction": share, "neutral": 0.3})
        assert caught.value.code == "bad_probabilities"


class TestSentiment:
    def test_equation_5_follows_the_polarity_of_the_literal_sentence(self):
        found = sentiment_consistency(
            TEXT, TEXT, {"NEGATIVE": 0.9, "POSITIVE": 0.1}, {"NEGATIVE": 0.6, "POSITIVE": 0.4}
        )
        assert found.polarity == "NEGATIVE"
        assert found.value == pytest.approx(0.3)
        other = sentiment_consistency(
            TEXT, TEXT, {"NEGATIVE": 0.9, "POSITIVE": 0.1}, {"NEGATIVE": 0.4, "POSITIVE": 0.6}
        )
        assert other.value == pytest.approx(0.1 - 0.6)

    def test_an_undecided_literal_sentence_has_no_polarity(self):
        even = {"negative": 0.5, "positive": 0.5}
        assert sentiment_consistency(TEXT, TEXT, even, even).reason == "polarity_tied"


class TestNormalisation:
    def test_equation_6_and_what_a_page_explains(self):
        first, second, third = normalise([of(2), of(4), of(3)])
        assert [one.value for one in (first, second, third)] == [0, 1, 0.5]
        assert (third.raw, third.low, third.high) == (3, 2, 4)

    @pytest.mark.parametrize("equal", [[0.1 + 0.2, 0.3], [7.0], [0.0, 0.0, 0.0]])
    def test_where_all_are_equal_each_is_a_half(self, equal):
        assert {one.value for one in normalise([of(value) for value in equal])} == {0.5}

    def test_a_missing_value_stays_missing_and_touches_no_other(self):
        with_gap = normalise([of(2), of(None, "no_topic"), of(4), of(3)])
        assert [one.value for one in with_gap] == [0, None, 1, 0.5]
        assert with_gap[1].reason == "no_topic"
        assert [one.reason for one in normalise([of(None, "no_topic")])] == ["no_topic"]

    @given(values, st.randoms())
    def test_the_order_of_the_candidates_does_not_matter(self, given_values, random):
        places = list(range(len(given_values)))
        random.shuffle(places)
        straight = normalise([of(value) for value in given_values])
        shuffled = normalise([of(given_values[place]) for place in places])
        assert [straight[place] for place in places] == shuffled

    @given(values)
    def test_values_lie_from_0_to_1_and_keep_their_order(self, given_values):
        found = [one.value or 0 for one in normalise([of(value) for value in given_values])]
        assert all(0 <= value <= 1 for value in found)
        in_order = [value for _, value in sorted(zip(given_values, found, strict=True))]
        assert in_order == sorted(in_order)


class TestQuality:
    PARTS = {"relevance": of(1.0), "logic": of(0.5), "sentiment": of(0.25)}

    def test_equation_7_with_the_best_weights(self):
        found = quality(self.PARTS)
        assert found.value == pytest.approx(3 / 6 * 1 + 2 / 6 * 0.5 + 1 / 6 * 0.25)
        assert (found.metric, found.weights) == ("quality", BEST)

    @pytest.mark.parametrize(
        ("missing", "metric", "value"),
        [
            (["logic"], "quality[-logic]", 3 / 6 + 1 / 24),
            (["relevance", "sentiment"], "quality[-relevance-sentiment]", 1 / 6),
        ],
    )
    def test_without_a_part_it_names_itself_so(self, missing, metric, value):
        found = quality(self.PARTS | {part: of(None, "not_there") for part in missing})
        assert found.metric == metric
        assert found.value == pytest.approx(value)
        assert found.missing == dict.fromkeys(missing, "not_there")

    def test_a_part_of_no_weight_is_not_missed(self):
        found = quality(self.PARTS | {"logic": of(None)}, Weights(0.5, 0, 0.5))
        assert found.metric == "quality"
        assert found.value == pytest.approx(0.625)

    def test_of_nothing_there_is_no_quality(self):
        found = quality(dict.fromkeys(self.PARTS, of(None)))
        assert (found.value, found.reason) == (None, "no_parts")

    @pytest.mark.parametrize("weights", [(0, 0, 0), (-1, 1, 1), (math.nan, 1, 1), (math.inf, 1, 1)])
    def test_weights_that_weigh_nothing_are_refused(self, weights):
        with pytest.raises(MetricError) as caught:
            Weights(*weights)
        assert caught.value.code == "bad_weights"


class TestCombination:
    def test_ranks_are_combined_2_2_1(self):
        found = combine(
            [qualities(0.9), qualities(0.5), qualities(0.1)],
            [of(-3), of(-1), of(-2)],
            [of(2), of(3), of(4)],
        )
        # Ranks 1 3 3, 2 1 2, 3 2 1.
        assert [one.value for one in found] == pytest.approx(
            [(2 + 6 + 3) / 5, (4 + 2 + 2) / 5, (6 + 4 + 1) / 5]
        )
        assert [(one.place, one.is_tied) for one in found] == [(2, True), (1, False), (2, True)]
        assert found[1].ranks == {"quality": 2, "creativity": 1, "informativeness": 2}

    def test_equal_values_share_the_mean_rank(self):
        found = combine([qualities(0.5), qualities(0.5)], [of(-1), of(-1)], [of(1), of(2)])
        assert [one.ranks["quality"] for one in found] == [1.5, 1.5]
        assert [one.place for one in found] == [2, 1]

    def test_a_candidate_that_lacks_a_metric_has_no_place(self):
        found = combine([qualities(0.9), qualities(0.5)], [of(None), of(-1)], [of(2), of(3)])
        assert [(one.place, one.reason) for one in found] == [(None, "no_creativity"), (1, "")]

    def test_a_full_quality_is_never_ranked_with_a_partial_one(self):
        partial = quality(TestQuality.PARTS | {"logic": of(None)})
        with pytest.raises(MetricError, match=r"quality\[-logic\]") as caught:
            combine([qualities(0.9), partial], [of(1), of(1)], [of(1), of(1)])
        assert caught.value.code == "mixed_quality"


def qualities(value: float):
    """A full quality with that value."""
    return quality({"relevance": of(value), "logic": of(value), "sentiment": of(value)})


def test_a_score_has_a_finite_value_or_a_reason():
    for value, reason in ((None, ""), (1.0, "why"), (math.nan, "")):
        with pytest.raises(MetricError):
            Score(value=value, reason=reason)
