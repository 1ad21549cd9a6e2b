"""Small models fitted to generated sentences, the same from the same seed."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from scoring.backends.training.sentences import (
    HINTS,
    NLI_LABELS,
    SENTIMENT_LABELS,
    SYLLABLES,
    Example,
    opinions,
    pairs,
    plain,
)

SEED = 20_230_701
HELD_OUT = 4000
BATCH = 64
RATE = 2e-3
WIDTH, LAYERS, HEADS = 96, 2, 4
# Number of sentences from which the vocabulary is built.
SENTENCES = 20_000
SPECIAL = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
LONGEST = 512
WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Recipe:
    """What a classifier learns, from how many sentences, each seen once."""

    labels: tuple[str, ...]
    examples: Callable[[int], Iterator[Example]]
    amount: int
    hints: tuple[int, ...] = ()


RECIPES = {
    "nli": Recipe(NLI_LABELS, pairs, 240_000, HINTS),
    "sentiment": Recipe(SENTIMENT_LABELS, opinions, 60_000),
}


def fit_classifier(name: str, folder: Path, amount: int | None = None) -> float:
    """Fit one of `RECIPES` and save it as a checkpoint.

    Parameters
    ----------
    name
        Name of the recipe.
    folder
        Folder for configuration, tokenizer and weights (safetensors).
    amount
        Number of sentences; by default that of the recipe.

    Returns
    -------
    float
        Accuracy on `HELD_OUT` generated sentences of which none was fitted to.
    """
    import torch

    recipe = RECIPES[name]
    _seed()
    words = tokenizer(SEED)
    model = _classifier(recipe.labels, words)
    # Only for the fitting: they are not saved.
    hinting = torch.nn.ModuleList(torch.nn.Linear(WIDTH, answers) for answers in recipe.hints)
    numbers = model.config.label2id

    def loss(batch: list[Example], progress: float) -> Any:
        labels = torch.tensor([numbers[example.label] for example in batch])
        found = model(**_moved(_encoded(words, batch)), labels=labels, output_hidden_states=True)
        first = found.hidden_states[-1][:, 0]
        hints = torch.tensor([example.hints for example in batch])
        hinted = sum(
            torch.nn.functional.cross_entropy(head(first), hints[:, position])
            for position, head in enumerate(hinting)
        )
        return found.loss + (1 - progress) * hinted

    train, held_out = _split(recipe, amount or recipe.amount)
    _descend([model, hinting], loss, train)
    _save(model, words, folder)
    return _accuracy(model, words, held_out)


def fit_language_model(folder: Path, amount: int = 60_000) -> float:
    """Fit the causal language model and save it as a checkpoint.

    Parameters
    ----------
    folder
        Folder of the checkpoint.
    amount
        Number of sentences.

    Returns
    -------
    float
        Perplexity a word piece of held-out generated sentences.
    """
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    _seed()
    words = tokenizer(SEED)
    ends = {"bos_token_id": words.cls_token_id, "eos_token_id": words.sep_token_id}
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(words), n_positions=LONGEST, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, **ends
        )
    )

    def loss(batch: list[Example], _: float = 0.0) -> Any:
        inputs = _moved(_encoded(words, batch)) if model.training else _encoded(words, batch)
        inputs.pop("token_type_ids")
        hidden = inputs["input_ids"].masked_fill(inputs["attention_mask"] == 0, -100)
        return model(**inputs, labels=hidden).loss

    recipe = Recipe((), lambda seed: (Example(text, "") for text in plain(seed)), amount)
    train, held_out = _split(recipe, amount)
    _descend([model], loss, train)
    _save(model, words, folder)
    with torch.inference_mode():
        losses = [float(loss(held_out[start : start + BATCH])) for start in range(0, len(held_out), BATCH)]
    return float(torch.tensor(losses).mean().exp())


def _classifier(labels: tuple[str, ...], words: Any) -> Any:
    from transformers import BertConfig, BertForSequenceClassification

    return BertForSequenceClassification(
        BertConfig(
            vocab_size=len(words),
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intermediate_size=4 * WIDTH,
            max_position_embeddings=LONGEST,
            pad_token_id=words.pad_token_id,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )


def _seed() -> None:
    import torch

    torch.manual_seed(SEED)
    torch.use_deterministic_algorithms(mode=True)
    torch.set_num_threads(1)


def _split(recipe: Recipe, amount: int) -> tuple[list[Example], list[Example]]:
    train = list(islice(recipe.examples(SEED), amount))
    seen = {example.text for example in train}
    unseen = (made for made in recipe.examples(SEED + 1) if made.text not in seen)
    return train, list(islice(unseen, HELD_OUT))


def _encoded(words: Any, examples: list[Example]) -> Any:
    return words([example.text for example in examples], padding=True, truncation=True, return_tensors="pt")


def _moved(inputs: Any) -> Any:
    """The inputs at their own positions, or, every second time, begun at any later one.

    The generated sentences are short; without this the later positions would stay as they were drawn.
    """
    import torch

    length = inputs["input_ids"].shape[1]
    start = int(torch.randint(LONGEST - length + 1, ())) * int(torch.randint(2, ()))
    return {**inputs, "position_ids": torch.arange(start, start + length)[None]}


def _descend(models: list[Any], loss: Callable[[list[Example], float], Any], examples: list[Example]) -> None:
    import torch

    parameters = [parameter for model in models for parameter in model.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=RATE, weight_decay=0.01)
    steps = -(-len(examples) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    models[0].train()
    for start in range(0, len(examples), BATCH):
        optimizer.zero_grad()
        loss(examples[start : start + BATCH], start / len(examples)).backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
    models[0].eval()


def _accuracy(model: Any, words: Any, held_out: list[Example]) -> float:
    import torch

    right = 0
    with torch.inference_mode():
        for start in range(0, len(held_out), BATCH):
            batch = held_out[start : start + BATCH]
            found = model(**_encoded(words, batch)).logits.argmax(-1).tolist()
            right += sum(
                model.config.id2label[number] == example.label
                for number, example in zip(found, batch, strict=True)
            )
    return right / len(held_out)


def _save(model: Any, words: Any, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    words.save_pretrained(folder)


def tokenizer(seed: int) -> Any:
    """A lower-casing word-piece tokenizer for generated sentences, with a type for each text of a pair.

    Parameters
    ----------
    seed
        Of the sentences.

    Returns
    -------
    PreTrainedTokenizerFast
        What is not in its vocabulary is spelt in single letters.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {piece: number for number, piece in enumerate(_pieces(seed))}
    pieces = Tokenizer(models.WordPiece(vocabulary, unk_token=SPECIAL["unk"]))
    pieces.normalizer = normalizers.BertNormalizer(lowercase=True)
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces.decoder = decoders.WordPiece()
    pieces.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(SPECIAL[name], vocabulary[SPECIAL[name]]) for name in ("cls", "sep")],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=pieces,
        model_max_length=LONGEST,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **{f"{name}_token": token for name, token in SPECIAL.items()},
    )


def _pieces(seed: int) -> list[str]:
    """Special tokens, characters at the beginning and within a word, then words; the same list each time."""
    characters = sorted(set(string.printable.lower()) - set(string.whitespace))
    within = [f"##{character}" for character in characters if character.isalnum()]
    words = {word for text in islice(plain(seed), SENTENCES) for word in WORD.findall(text.lower())}
    made_up = re.compile(f"(?:{'|'.join(SYLLABLES)})+")
    known = sorted(word for word in words if len(word) > 1 and not made_up.fullmatch(word))
    return [*SPECIAL.values(), *characters, *within, *known]
