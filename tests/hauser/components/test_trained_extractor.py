"""An extractor that is trained on marks learns them, the same from the same seed, and is checked on disk."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from scoring.backends import component_training
from scoring.backends.component_training import train_network
from scoring.hauser.components.built_in import extract
from scoring.hauser.components.errors import ExtractorUnavailable
from scoring.hauser.components.extractors import extractor_in_store, extractor_named, short_name
from scoring.hauser.components.trained.examples import Mark, examples_of
from scoring.hauser.components.trained.extractor import TrainedExtractor
from scoring.hauser.components.trained.folder import About, load_trained, write_trained
from scoring.hauser.components.trained.network import Network
from scoring.services.similes.run_environment import toolkit
from scoring.services.similes.score_settings import WITHOUT_MODELS, checked_settings
from tests.hauser.components.marked_by_hand import CHINESE, ENGLISH

ABOUT = About("zh", 16, 16, 0, 3, "0" * 64, "2", "0", {})


@pytest.fixture(scope="module")
def network() -> Network:
    return train_network(examples_of(CHINESE, "zh")[0], seed=3)


@pytest.fixture(scope="module")
def folder(network: Network, tmp_path_factory: pytest.TempPathFactory) -> Path:
    written = tmp_path_factory.mktemp("trained") / "zh"
    write_trained(written, network, ABOUT)
    return written


def test_the_same_seed_gives_the_same_weights_and_another_seed_gives_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(component_training, "FEWEST_STEPS", 5)
    examples = examples_of(CHINESE, "zh")[0]
    first, again, other = (train_network(examples, seed) for seed in (3, 3, 4))
    assert again.vocabulary.entries == first.vocabulary.entries
    assert all(np.array_equal(again.weights[name], array) for name, array in first.weights.items())
    assert not np.array_equal(other.weights["pointers.weight"], first.weights["pointers.weight"])


def test_what_is_marked_is_learned_and_every_part_is_at_its_offsets(network: Network) -> None:
    extractor = TrainedExtractor(network, "zh")
    found = [(mark, pair) for mark in CHINESE for pair in extractor(mark.sentence).pairs]
    right = [
        (pair.topic and pair.topic.text) == mark.topic and pair.vehicle.text == mark.vehicle
        for mark, pair in found
    ]
    by_rules = [
        (pair.topic and pair.topic.text) == mark.topic and pair.vehicle.text == mark.vehicle
        for mark in CHINESE
        for pair in extract(mark.sentence).pairs
    ]
    assert len(found) == len(CHINESE)
    assert sum(right) >= 14 > sum(by_rules)
    for mark, pair in found:
        for part in (pair.topic, pair.vehicle, pair.property, pair.comparator):
            assert part is None or mark.sentence[part.start : part.end] == part.text


def test_scores_are_those_of_pytorch(network: Network) -> None:
    """Each window alone, and in a batch in which the others are longer or shorter."""
    import torch

    windows = [example.window for example in examples_of(CHINESE, "zh")[0]]
    model = component_training._model(len(network.vocabulary)).eval()
    model.load_state_dict({name: torch.tensor(array) for name, array in network.weights.items()})
    batch = component_training._collated(examples_of(CHINESE, "zh")[0], network.vocabulary)
    with torch.no_grad():
        expected = component_training._scores(model, batch).numpy()
    for window, scores in zip(windows, expected, strict=True):
        assert np.allclose(network.scores(window), scores[: len(window.words)], atol=1e-4)


def test_an_extractor_that_is_read_finds_what_the_written_one_finds(network: Network, folder: Path) -> None:
    written, read = TrainedExtractor(network, "zh"), extractor_named(f"trained:{folder}")
    sentences = [mark.sentence for mark in CHINESE]
    assert [written(sentence) for sentence in sentences] == [read(sentence) for sentence in sentences]
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000_000


def test_sentences_without_a_simile_and_of_another_language_are_those_of_the_rules(folder: Path) -> None:
    read = load_trained(folder)
    for sentence in ("", "今天下雨。", "I like him.", "The roof shone like wet slate.", "像。"):
        assert read(sentence) == extract(sentence)


def test_english_marks_are_learned_too() -> None:
    network = train_network(examples_of(ENGLISH, "en")[0], seed=1)
    found = [TrainedExtractor(network, "en")(mark.sentence).pairs[0] for mark in ENGLISH]
    assert [pair.vehicle.text for pair in found] == [mark.vehicle for mark in ENGLISH]
    assert [pair.event and pair.event.text for pair in found] == ["hummed", "were", "blinked", "snored"]


def test_a_mark_whose_vehicle_follows_no_comparator_is_left_out() -> None:
    wrong = [Mark("刀子像他的话。", "刀子", "刀"), Mark("他走了。", "他", "风"), CHINESE[0]]
    examples, left_out = examples_of(wrong, "zh")
    assert (len(examples), left_out) == (1, wrong[:2])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (shutil.rmtree, "extractor_missing"),
        (lambda folder: (folder / "weights.npz").unlink(), "extractor_missing"),
        (lambda folder: (folder / "card.json").write_text("{"), "extractor_damaged"),
        (lambda folder: (folder / "card.json").write_text("[]"), "extractor_damaged"),
        (lambda folder: (folder / "vocabulary.json").write_text("[]"), "extractor_damaged"),
        (lambda folder: flip_a_byte(folder / "weights.npz"), "extractor_damaged"),
        (lambda folder: set_on_card(folder, format=2), "extractor_format"),
        (lambda folder: set_on_card(folder, language="fr"), "extractor_damaged"),
        (lambda folder: put(folder, "vocabulary.json", b"[" * 100_000), "extractor_damaged"),
        (lambda folder: put_weights(folder, np.savez, nan=True), "extractor_damaged"),
        (lambda folder: put_weights(folder, np.savez_compressed), "extractor_damaged"),
    ],
)
def test_a_folder_that_is_missing_or_changed_is_refused(folder: Path, tmp_path: Path, change, code) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    change(copy)
    with pytest.raises(ExtractorUnavailable, match="copy") as refused:
        extractor_named(f"trained:{copy}")
    assert refused.value.code == code


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def put(folder: Path, name: str, content: bytes) -> None:
    """Write a file whose digest is that of the card: its author made the card, too."""
    (folder / name).write_bytes(content)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    set_on_card(folder, files=card["files"] | {name: hashlib.sha256(content).hexdigest()})


def put_weights(folder: Path, save: Callable[..., None], *, nan: bool = False) -> None:
    weights = dict(np.load(folder / "weights.npz"))
    if nan:
        weights["pointers.bias"][0] = np.nan
    packed = io.BytesIO()
    save(packed, **weights)
    put(folder, "weights.npz", packed.getvalue())


def set_on_card(folder: Path, **values: object) -> None:
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    (folder / "card.json").write_text(json.dumps(card | values), encoding="utf-8")


def test_a_folder_with_files_is_not_replaced(network: Network, folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ExtractorUnavailable) as refused:
        write_trained(folder, network, replace(ABOUT, seed=9))
    assert refused.value.code == "folder_not_empty"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("name", ["trained:/etc", "trained:../zh", "trained:.", "spacy:/srv/x", "spacy:a/b"])
def test_a_path_is_no_name_for_those_who_may_not_read_the_disk(name: str) -> None:
    with pytest.raises(ExtractorUnavailable) as refused:
        extractor_in_store(name, Path("/srv/models"))
    assert refused.value.code == "bad_extractor_name"


def test_a_name_without_a_path_is_that_of_a_folder_in_the_folder_of_models(folder: Path) -> None:
    assert extractor_in_store("trained:zh", folder.parent) == f"trained:{folder}"
    for name in ("built-in", "spacy:en_core_web_sm"):
        assert extractor_in_store(name, folder.parent) == name


def test_the_name_that_is_stored_for_an_item_has_at_most_60_characters() -> None:
    assert short_name("built-in") == "built-in"
    assert short_name("trained:/a/long/path/zh-2026") == "trained:zh-2026"
    assert len(short_name(f"trained:{'x' * 80}")) == 60


def test_a_scoring_run_names_the_digest_of_its_extractor(folder: Path) -> None:
    """Training again into the same folder gives other scores, so it must not continue the same run."""
    with toolkit(checked_settings(profile=WITHOUT_MODELS, extractor=f"trained:{folder}")) as kit:
        assert kit.made_with["extractor_digest"] == load_trained(folder).digest
        assert kit.made_with["extractor"] == "trained:zh"
        assert kit.tools.extract(CHINESE[0].sentence).pairs[0].vehicle.text == CHINESE[0].vehicle
    with toolkit(checked_settings(profile=WITHOUT_MODELS)) as kit:
        assert "extractor_digest" not in kit.made_with
