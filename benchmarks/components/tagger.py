"""A small token classifier of topic and vehicle: a bidirectional GRU that points at first and last tokens.

It is trained from scratch on the marks of the development side. With `rules` it is also given the parts that
the rules find, so that it can correct them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch  # noqa: TID253
from torch import Tensor, nn  # noqa: TID253

BEFORE, BEHIND = 40, 30
POINTERS = ("topic start", "topic end", "vehicle start", "vehicle end")
PAD, UNKNOWN = 0, 1
LONGEST_PART = 16
EPOCHS = 12
BATCH = 32


@dataclass(frozen=True)
class Window:
    """The tokens around a comparator; spans are places in the window, both included.

    `features` has a row of numbers for each token. `gold` is None where a sentence is only read.
    """

    words: list[str]
    letters: list[int]
    features: list[list[float]]
    comparator: tuple[int, int]
    style: int  # How the data set marks: whole phrases or single words
    gold: dict[str, tuple[int, int] | None] | None = None


class Vocabulary:
    """Numbers of the words that occur at least twice; the others by their last three letters."""

    def __init__(self, windows: Sequence[Window]) -> None:
        counts = Counter(word for window in windows for word in window.words)
        endings = Counter(_ending(word) for window in windows for word in window.words)
        known = [word for word, n in counts.items() if n > 1]
        common = [ending for ending, n in endings.items() if n > 1]
        self.number = {entry: place + 2 for place, entry in enumerate([*known, *common])}

    def __len__(self) -> int:
        return len(self.number) + 2

    def of(self, word: str) -> int:
        return self.number.get(word) or self.number.get(_ending(word), UNKNOWN)


def _ending(word: str) -> str:
    return "…" + word[-3:]


class Tagger(nn.Module):  # type: ignore[misc]
    """Scores of every token for the four pointers."""

    def __init__(self, n_words: int, n_features: int) -> None:
        super().__init__()
        self.words = nn.Embedding(n_words, 32, padding_idx=PAD)
        self.letters = nn.Embedding(32, 16, padding_idx=PAD)
        self.places = nn.Embedding(BEFORE + BEHIND + 2, 16)
        self.styles = nn.Embedding(4, 4)
        self.reader = nn.GRU(32 + 16 + 16 + 4 + n_features, 48, batch_first=True, bidirectional=True)
        self.pointers = nn.Linear(96 + n_features, len(POINTERS))
        self.drop = nn.Dropout(0.3)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """Scores, shape (n_windows, n_tokens, 4); minus infinity behind the end of a window."""
        styles = self.styles(batch["style"])[:, None].expand(-1, batch["words"].shape[1], -1)
        parts = [self.words(batch["words"]), self.letters(batch["letters"]), self.places(batch["places"])]
        read, _ = self.reader(self.drop(torch.cat([*parts, styles, batch["features"]], dim=-1)))
        scores: Tensor = self.pointers(torch.cat([self.drop(read), batch["features"]], dim=-1))
        return scores.masked_fill(batch["words"].eq(PAD)[..., None], -1e9)


def collate(windows: Sequence[Window], vocabulary: Vocabulary) -> dict[str, Tensor]:
    """The windows as tensors, padded to the longest."""
    longest = max(len(window.words) for window in windows)

    def padded(rows: list[list[int]]) -> Tensor:
        return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])

    blank = [0.0] * len(windows[0].features[0])
    return {
        "words": padded([[vocabulary.of(word) for word in window.words] for window in windows]),
        "letters": padded([window.letters for window in windows]),
        "places": padded(
            [[_place(at, window.comparator) for at in range(len(window.words))] for window in windows]
        ),
        "features": torch.tensor(
            [window.features + [blank] * (longest - len(window.words)) for window in windows]
        ),
        "style": torch.tensor([window.style for window in windows]),
        "gold": torch.tensor([_targets(window) for window in windows]),
    }


def _place(at: int, comparator: tuple[int, int]) -> int:
    """Distance from the comparator, as a number from 0."""
    start, end = comparator
    distance = at - start if at < start else max(0, at - end)
    return min(max(distance, -BEFORE), BEHIND) + BEFORE + 1


def _targets(window: Window) -> list[int]:
    """The four places; -100, which the loss leaves out, where a part is not marked in the window."""
    gold = window.gold or {}
    return [place for part in ("topic", "vehicle") for place in (gold.get(part) or (-100, -100))]


def train(windows: Sequence[Window], vocabulary: Vocabulary, seed: int) -> Tagger:
    """Train on marked windows; the same seed gives the same weights on a CPU with one thread."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    model = Tagger(len(vocabulary), len(windows[0].features[0]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-2)
    steps = EPOCHS * (1 + len(windows) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, total_steps=steps + 1)
    for _ in range(EPOCHS):
        order = torch.randperm(len(windows)).tolist()
        for start in range(0, len(order), BATCH):
            batch = collate([windows[at] for at in order[start : start + BATCH]], vocabulary)
            scores = model(batch)
            losses = [
                nn.functional.cross_entropy(scores[..., n], batch["gold"][:, n], reduction="sum")
                for n in range(len(POINTERS))
            ]
            loss = torch.stack(losses).sum() / len(batch["gold"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    model.eval()
    return model


@torch.no_grad()
def predict(
    model: Tagger, vocabulary: Vocabulary, windows: Sequence[Window]
) -> list[dict[str, tuple[int, int]]]:
    """The best topic, outside the comparator, and the best vehicle, behind it, of each window."""
    found = []
    for start in range(0, len(windows), 64):
        batch = windows[start : start + 64]
        for window, scores in zip(batch, model(collate(batch, vocabulary)), strict=True):
            first, last = window.comparator
            vehicle = _best_span(scores[:, 2:], last + 1, len(window.words))
            topic = _best_span(scores[:, :2], 0, first) or _best_span(
                scores[:, :2], last + 1, len(window.words)
            )
            found.append({"topic": topic or (0, 0), "vehicle": vehicle or (last, last)})
    return found


def _best_span(scores: Tensor, least: int, end: int) -> tuple[int, int] | None:
    if least >= end:
        return None
    total = scores[least:end, None, 0] + scores[None, least:end, 1]
    allowed = torch.ones_like(total).triu().tril(LONGEST_PART - 1).bool()
    best = int(total.masked_fill(~allowed, -1e18).argmax())
    return least + best // (end - least), least + best % (end - least)
