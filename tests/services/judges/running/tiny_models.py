"""Tiny checkpoints with random weights that read a whole prompt."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from scoring.backends.profiles import EMBEDDED

POSITIONS = 1024
SMALL = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}


def causal_checkpoint(folder: Path) -> Path:
    """A causal language model."""
    from transformers import GPT2Config, GPT2LMHeadModel, set_seed

    set_seed(4)
    sizes = {"vocab_size": 2000, "n_positions": POSITIONS, "n_embd": 8, "n_layer": 1, "n_head": 1}
    return _saved(GPT2LMHeadModel(GPT2Config(bos_token_id=None, eos_token_id=None, **sizes)), folder)


def classifier_checkpoint(folder: Path, labels: list[str]) -> Path:
    """A classifier with these labels."""
    from transformers import BertConfig, BertForSequenceClassification, set_seed

    set_seed(4)
    config = BertConfig(
        vocab_size=2000,
        max_position_embeddings=POSITIONS,
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
        **SMALL,
    )
    return _saved(BertForSequenceClassification(config), folder)


def _saved(model: Any, folder: Path) -> Path:
    model.save_pretrained(folder)
    shutil.copy(EMBEDDED / "nli" / "tokenizer.json", folder)
    settings = json.loads((EMBEDDED / "nli" / "tokenizer_config.json").read_text(encoding="utf-8"))
    written = json.dumps({**settings, "model_max_length": POSITIONS})
    (folder / "tokenizer_config.json").write_text(written, encoding="utf-8")
    return folder
