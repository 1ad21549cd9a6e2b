"""The word pieces of the embedded checkpoints: words of the generated sentences, letters for all others."""

from __future__ import annotations

import re
import string
from itertools import islice
from typing import Any

from scoring.backends.training.sentences import SYLLABLES, plain

SENTENCES = 20_000
SPECIAL = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
LONGEST = 128
WORD = re.compile(r"[a-z]+")


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
