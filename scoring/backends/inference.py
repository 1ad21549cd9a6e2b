"""How the models compute, and what they have in common: loading, lengths, batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.domain.base.messages import message
from scoring.backends.checkpoints import Located
from scoring.backends.errors import ModelRefused
from scoring.backends.weight_layout import pack

Text = str | tuple[str, str]
Dtype = Literal["fp32", "bf16"]
DTYPES: tuple[Dtype, ...] = ("fp32", "bf16")
UNLIMITED = 1_000_000
# RoBERTa numbers positions from the padding token's number on, so it has fewer than it says.
OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "longformer", "mpnet")


@dataclass(frozen=True)
class Compute:
    """Where and how a model computes."""

    device: str = "cpu"  # `cpu`, `cuda` or `cuda:N`
    # `fp32`, or `bf16`: about twice as fast on processors that have it; scores change in the third
    # digit
    dtype: Dtype = "fp32"
    threads: int | None = None  # Threads of one process; None for torch's own choice
    batch: int = 32  # Texts computed together

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise ModelRefused("bad_dtype", f"{self.dtype!r} is not a precision. Use {' or '.join(DTYPES)}.")
        if self.batch < 1 or (self.threads is not None and self.threads < 1):
            raise ModelRefused("bad_option", "Batches and threads must be whole numbers of at least 1.")


@dataclass(frozen=True)
class Filling:
    """When a batch is large enough."""

    tokens: int  # From this many tokens on, a larger batch is hardly faster, and padding costs time
    least: float  # Least length of further texts, as a share of the longest text's length


FILLING = {"cpu fp32": Filling(96, 0.95), "cpu bf16": Filling(256, 0.85), "cuda": Filling(8192, 0.85)}


@dataclass(frozen=True)
class Loaded:
    """A model ready to compute, with its tokenizer and the most tokens that it takes."""

    model: Any
    tokenizer: Any
    longest: int
    compute: Compute
    located: Located


@dataclass(frozen=True)
class Encoded:
    """The tokens of a text, cut to what the model takes."""

    inputs: dict[str, list[int]]
    truncated: bool

    def __len__(self) -> int:
        return len(self.inputs["input_ids"])


def load(
    kind: str, located: Located, compute: Compute, *, may_lack: tuple[str, ...] = (), **options: Any
) -> Loaded:
    """Load a model by one of transformers' Auto classes, in evaluation mode.

    Parameters
    ----------
    kind
        Name of the Auto class.
    located
        The checkpoint; only safetensors are opened, and no program of its own is run.
    compute
        Device and precision.
    may_lack
        Beginnings of the names of weights that it may come without.
    options
        Handed to `from_pretrained`.

    Raises
    ------
    ModelRefused
        `worker_extra_missing`, `bad_device`, `checkpoint_unreadable`, or `weights_missing` when the
        checkpoint was made for something else and part of the model would be random.
    """
    device = _device(compute.device)
    if compute.threads:
        library("torch").set_num_threads(compute.threads)
    tokenizer, model, missing = _from_folder(kind, located, compute, options)
    if lacking := sorted(name for name in missing if not name.startswith(may_lack)):
        raise ModelRefused(
            "weights_missing",
            message(
                "The checkpoint %(name)s has no %(weights)s: it was not trained for this task (%(task)s). "
                "Choose another checkpoint.",
                name=located.shown,
                weights=", ".join(lacking[:3]),
                task=kind,
            ),
        )
    tokenizer.padding_side = "right"
    model = model.to(device).eval()
    if device.type == "cpu" and compute.dtype == "fp32":
        pack(model)
    return Loaded(model, tokenizer, _longest(tokenizer, model.config), compute, located)


def _from_folder(
    kind: str, located: Located, compute: Compute, options: Mapping[str, Any]
) -> tuple[Any, Any, Sequence[str]]:
    """Tokenizer, model, and the names of weights that the checkpoint lacks."""
    transformers = library("transformers")
    library("transformers.utils.logging").disable_progress_bar()
    torch = library("torch")
    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16}[compute.dtype]
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(located.folder, local_files_only=True)
        model, info = getattr(transformers, kind).from_pretrained(
            located.folder,
            dtype=dtype,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
            **options,
        )
    except (
        OSError,
        ValueError,
        KeyError,
        RuntimeError,
        ImportError,
        library("safetensors").SafetensorError,
    ) as error:
        raise ModelRefused(
            "checkpoint_unreadable",
            message(
                "The checkpoint %(name)s cannot be loaded: %(reason)s",
                name=located.shown,
                reason=_first_line(error).replace(str(located.folder), located.shown),
            ),
        ) from error
    return tokenizer, model, info["missing_keys"]


def library(name: str) -> Any:
    """Import a library of the worker extra by the name of its module.

    Parameters
    ----------
    name
        Of the module.

    Raises
    ------
    ModelRefused
        `worker_extra_missing`.
    """
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ModelRefused(
            "worker_extra_missing",
            message(
                "%(package)s is not installed here. Run this on a worker, or run "
                "pip install 'groundwork-ratings[worker]'.",
                package=error.name,
            ),
        ) from error


def _device(name: str) -> Any:
    torch = library("torch")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ModelRefused("bad_device", f"{name!r} is not a device. Use cpu, cuda or cuda:N.") from error
    if device.type not in {"cpu", "cuda"}:
        raise ModelRefused("bad_device", f"{name!r} is not a device. Use cpu, cuda or cuda:N.")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ModelRefused("bad_device", f"This machine has no device {name!r}. Use cpu.")
    return device


def _longest(tokenizer: Any, config: Any) -> int:
    positions = getattr(config, "max_position_embeddings", None) or UNLIMITED
    if getattr(config, "model_type", "") in OFFSET_POSITIONS:
        positions -= (config.pad_token_id or 0) + 1
    return int(min(tokenizer.model_max_length, positions))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def encode(loaded: Loaded, texts: Sequence[Text], *, room: int = 0) -> list[Encoded]:
    """The tokens of texts or pairs, a pair as a pair.

    Parameters
    ----------
    loaded
        Model with the tokenizer and the maximum length.
    texts
        Texts and pairs of texts may be mixed.
    room
        Tokens to keep free for what is added later.

    Returns
    -------
    list of Encoded
        In the order of `texts`; longer ones cut (of a pair, the longer text first) and flagged.
    """
    longest = loaded.longest - room
    encoded = []
    for text in texts:
        parts = [_readable(part) for part in ((text,) if isinstance(text, str) else text)]
        whole = dict(loaded.tokenizer(*parts, verbose=False))
        truncated = len(whole["input_ids"]) > longest
        if truncated:
            whole = dict(loaded.tokenizer(*parts, truncation=True, max_length=longest))
        encoded.append(Encoded(whole, truncated))
    return encoded


def batch_size(lengths: Sequence[int], tokens: int, enough: Filling) -> int:
    """How many texts are computed together, so that padding costs less than a larger batch gains.

    Parameters
    ----------
    lengths
        Lengths of the candidate texts in tokens, longest first; at least one.
    tokens
        At most so many in all, padding included, unless the first alone has more.
    enough
        Size from which only texts of nearly the same length are added.

    Returns
    -------
    int
        1 or more.
    """
    longest = max(1, lengths[0])
    size = 1
    while size < len(lengths) and (size + 1) * longest <= tokens:
        if size * longest >= enough.tokens and lengths[size] < enough.least * longest:
            break
        size += 1
    return size


def _readable(text: str) -> str:
    """Halves of surrogate pairs are replaced: tokenizers refuse them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def batches(
    loaded: Loaded, encoded: Sequence[Encoded], *, tokens: int = UNLIMITED
) -> Iterator[tuple[list[int], dict[str, Any]]]:
    """Batches of texts of like length, padded to the longest of each.

    Parameters
    ----------
    loaded
        Model with the tokenizer for padding and the device of the batches.
    encoded
        The texts.
    tokens
        At most so many in a batch, padding included, unless one text has more.

    Yields
    ------
    tuple
        Places in `encoded`, and the tensors of shape (texts, tokens); the longest first, so that a lack
        of memory shows at once.
    """
    order = sorted(range(len(encoded)), key=lambda position: len(encoded[position]), reverse=True)
    device = loaded.model.device.type
    enough = FILLING["cuda" if device == "cuda" else f"cpu {loaded.compute.dtype}"]
    while order:
        size = batch_size(
            [len(encoded[position]) for position in order[: loaded.compute.batch]], tokens, enough
        )
        positions, order = order[:size], order[size:]
        padded = loaded.tokenizer.pad(
            {
                name: [encoded[position].inputs[name] for position in positions]
                for name in encoded[positions[0]].inputs
            },
            return_tensors="pt",
            verbose=False,
        )
        yield positions, {name: tensor.to(loaded.model.device) for name, tensor in padded.items()}
