"""What a table of ratings accepts, refuses and remembers."""

import numpy as np
import pandas as pd
import pytest

from scoring.stats.data.scale import Scale
from scoring.stats.data.table import RatingsTable, RatingsTableError
from tests.stats.samples import likert, long_form, ratings_of


def refusal(frame, **options):
    with pytest.raises(RatingsTableError) as caught:
        RatingsTable.from_frame(frame, **options)
    return caught.value


def test_it_refuses_the_same_rating_twice_and_names_the_rows():
    frame = long_form([[1, 2], [3, 4]])
    error = refusal(pd.concat([frame, frame.iloc[[2]]]))
    assert error.code == "duplicate_rating"
    assert error.rows == (2, 4)
    assert "rows 3, 5" in str(error)


def test_it_refuses_a_table_without_a_needed_column():
    error = refusal(long_form([[1, 2]]).drop(columns="rater"))
    assert error.code == "missing_column"
    assert "rater" in str(error)


@pytest.mark.parametrize("value", ["four", "inf"])
def test_it_refuses_values_that_are_not_finite_numbers(value):
    frame = long_form([[1, 2], [3, 4]]).astype({"value": object})
    frame.loc[1, "value"] = value
    error = refusal(frame)
    assert (error.code, error.rows) == ("not_a_number", (1,))


def test_it_refuses_an_empty_label():
    frame = long_form([[1, 2], [3, 4]])
    frame.loc[3, "rater"] = None
    error = refusal(frame)
    assert (error.code, error.rows) == ("missing_label", (3,))


def test_it_refuses_values_outside_the_declared_scale():
    error = refusal(long_form([[1, 6], [3, 4]]), scales={"quality": (1, 5)})
    assert (error.code, error.rows) == ("outside_scale", (1,))


def test_it_refuses_an_item_in_two_groups():
    frame = long_form([[1, 2], [3, 4]]).assign(group=["a", "b", "c", "c"])
    error = refusal(frame)
    assert (error.code, error.rows) == ("conflicting_group", (0, 1))


def test_it_counts_answers_without_a_value_separately():
    frame = long_form([[1, 2], [3, 4], [5, 5]]).astype({"value": object})
    frame.loc[[0, 1], "value"] = [None, ""]
    ratings = ratings_of(frame)
    assert (ratings.cannot_rate, ratings.n_ratings, ratings.n_items) == (2, 4, 2)


def test_its_categories_are_the_declared_scale():
    table = RatingsTable.from_frame(long_form([[1, 2], [3, 4]]), scales={"quality": (1, 5)})
    assert table.criteria["quality"].categories.tolist() == [1, 2, 3, 4, 5]


def test_its_fingerprint_depends_on_the_content_only():
    frame = long_form(likert(1, 20, 4, missing=0.2))
    shuffled = frame.sample(frac=1, random_state=3).assign(study="other name")
    changed = frame.assign(value=np.where(frame.index == 5, 6 - frame["value"] + 0.5, frame["value"]))
    original = RatingsTable.from_frame(frame).fingerprint
    assert RatingsTable.from_frame(shuffled).fingerprint == original
    assert RatingsTable.from_frame(changed).fingerprint != original
    assert RatingsTable.from_frame(frame, identified=False).fingerprint != original


def test_items_that_each_form_a_group_are_not_grouped():
    frame = long_form([[1, 2], [3, 4]])
    assert ratings_of(frame.assign(group=frame["item"])).unit == "items"
    assert ratings_of(frame.assign(group="one")).unit == "groups"


def test_labels_that_compare_equal_but_read_differently_stay_separate():
    frame = long_form([[1, 2], [3, 4], [5, 5]])
    frame["item"] = pd.Series([1, 1, 1.0, 1.0, True, True], dtype=object)
    assert ratings_of(frame).n_items == 3


@pytest.mark.parametrize("kind", ["category", "string", "object"])
def test_its_fingerprint_does_not_depend_on_how_the_labels_are_held(kind):
    frame = long_form(likert(2, 10, 3))
    held = frame.astype(dict.fromkeys(["item", "rater", "criterion"], kind))
    assert RatingsTable.from_frame(held).fingerprint == RatingsTable.from_frame(frame).fingerprint


def test_its_fingerprint_tells_where_one_label_ends():
    frame = long_form([[1, 2], [3, 4]])
    first, second = (frame.assign(item=np.repeat(names, 2)) for names in (["a", "1:b1:c"], ["a1:b", "c"]))
    assert RatingsTable.from_frame(first).fingerprint != RatingsTable.from_frame(second).fingerprint


def test_minus_zero_is_zero_in_its_fingerprint():
    frame = long_form([[0.0, 2], [3, 4]])
    assert (
        RatingsTable.from_frame(frame.assign(value=frame["value"].replace(0.0, -0.0))).fingerprint
        == RatingsTable.from_frame(frame).fingerprint
    )


def test_a_continuous_scale_has_no_points_where_all_answers_happen_to_be_whole():
    values = [[0, 1], [2, 2]]
    (points,) = RatingsTable.from_frame(long_form(values), scales={"quality": (0, 2.5)}).criteria.values()
    slider = {"quality": Scale(0, 2.5, continuous=True)}
    (positions,) = RatingsTable.from_frame(long_form(values), scales=slider).criteria.values()
    assert points.has_categories
    assert not positions.has_categories
    assert positions.categories.tolist() == [0, 1, 2]
    assert not positions.pairable().keep(positions.item == 1).has_categories
