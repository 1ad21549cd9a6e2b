"""Train the token classifier of topics and vehicles on marks, from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.hauser.components.trained.examples import Example
from scoring.hauser.components.trained.network import (
    INPUT_SIZE,
    LETTER_SIZE,
    N_PLACES,
    PAD,
    PLACE_SIZE,
    POINTERS,
    READERS,
    STATE_SIZE,
    WORD_SIZE,
    Network,
    Vocabulary,
    place_numbers,
)
from scoring.hauser.components.trained.windows import N_FEATURES, N_LETTERS, Span

EPOCHS = 10
BATCH = 64
FEWEST_STEPS = 200
DROPPED = 0.3
RATE, WEIGHT_DECAY = 6e-3, 1e-2
NOT_MARKED = (-100, -100)  # Targets that the loss ignores


def train_network(examples: Sequence[Example], seed: int) -> Network:
    """Train on examples; the same seed gives the same weights on the same processor.

    Parameters
    ----------
    examples : sequence of Example
        At least one.
    seed : int
        Seed of the first weights, the order of examples and the units that are dropped.
    """
    import torch

    vocabulary = Vocabulary.of_windows([example.window for example in examples])
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            model = _model(len(vocabulary))
            _descend(model, examples, vocabulary)
    finally:
        torch.set_num_threads(threads)
    weights = {name: tensor.numpy().copy() for name, tensor in model.state_dict().items()}
    return Network(vocabulary, weights)


def _model(n_words: int) -> Any:
    from torch import nn

    return nn.ModuleDict(
        {
            "words": nn.Embedding(n_words, WORD_SIZE, padding_idx=PAD),
            "letters": nn.Embedding(N_LETTERS, LETTER_SIZE, padding_idx=PAD),
            "places": nn.Embedding(N_PLACES, PLACE_SIZE),
            **{name: nn.GRU(INPUT_SIZE, STATE_SIZE, batch_first=True) for name in READERS},
            "pointers": nn.Linear(2 * STATE_SIZE + N_FEATURES, len(POINTERS)),
        }
    )


def _scores(model: Any, batch: dict[str, Any]) -> Any:
    """Scores, shape (n_examples, n_tokens, 4); very low behind the end of a window."""
    import torch
    from torch.nn.functional import dropout

    longest = int(batch["lengths"].max())
    embedded = [model[name](batch[name][:, :longest]) for name in ("words", "letters", "places")]
    features = batch["features"][:, :longest]
    given = torch.cat([*embedded, features], dim=-1)
    given = dropout(given, DROPPED, model.training)
    onward, reverse = (model[name] for name in READERS)
    turned = _turned(reverse(_turned(given, batch["lengths"]))[0], batch["lengths"])
    states = torch.cat([onward(given)[0], turned], dim=-1)
    scores = model["pointers"](torch.cat([dropout(states, DROPPED, model.training), features], dim=-1))
    return scores.masked_fill(batch["words"][:, :longest].eq(PAD)[..., None], -1e9)


def _turned(rows: Any, lengths: Any) -> Any:
    """Each sequence from its last token to its first; what is behind its end remains there."""
    import torch

    places = torch.arange(rows.shape[1])[None]
    turned = torch.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
    return rows.gather(1, turned[..., None].expand(-1, -1, rows.shape[2]))


def _descend(model: Any, examples: Sequence[Example], vocabulary: Vocabulary) -> None:
    import torch
    from torch.nn.functional import cross_entropy

    batches = -(-len(examples) // BATCH)
    epochs = max(EPOCHS, -(-FEWEST_STEPS // batches))
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=epochs * batches)
    given = _collated(examples, vocabulary)
    for _ in range(epochs):
        order = torch.randperm(len(examples))
        for start in range(0, len(order), BATCH):
            batch = {name: tensor[order[start : start + BATCH]] for name, tensor in given.items()}
            scores = _scores(model, batch)
            targets = batch["targets"]
            losses = [
                cross_entropy(scores[..., n], targets[:, n], reduction="sum") for n in range(len(POINTERS))
            ]
            loss = torch.stack(losses).sum() / len(targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


def _collated(examples: Sequence[Example], vocabulary: Vocabulary) -> dict[str, Any]:
    """The examples as tensors, padded to the longest window."""
    import torch

    windows = [example.window for example in examples]
    longest = max(len(window.words) for window in windows)

    def padded(rows: list[list[int]]) -> Any:
        return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])

    blank = [0.0] * N_FEATURES
    return {
        "words": padded([[vocabulary.number(word) for word in window.words] for window in windows]),
        "letters": padded([window.letters for window in windows]),
        "places": padded([place_numbers(window) for window in windows]),
        "features": torch.tensor(
            [window.features + [blank] * (longest - len(window.words)) for window in windows]
        ),
        "lengths": torch.tensor([len(window.words) for window in windows]),
        "targets": torch.tensor([_targets(example.topic, example.vehicle) for example in examples]),
    }


def _targets(topic: Span | None, vehicle: Span) -> list[int]:
    return [*(topic or NOT_MARKED), *vehicle]
