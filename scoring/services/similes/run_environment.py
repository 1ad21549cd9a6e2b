"""A run's settings on this machine: open files, models, and their exact versions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from typing import Any, TypeVar

from annotation.domain.base.errors import InvalidContent
from config.distribution import release
from scoring.backends.inference import Text
from scoring.backends.models import Models, installed
from scoring.backends.profiles import ENCODER, LANGUAGE_MODEL, NLI, SENTIMENT
from scoring.hauser.components.errors import ExtractorUnavailable
from scoring.hauser.components.extractors import Extractor, extractor_named, short_name
from scoring.hauser.components.trained.extractor import TrainedExtractor
from scoring.hauser.knowledge.file_format import KnowledgeBaseError
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.hauser.runs.pipeline import NO_MODELS, Tools
from scoring.services.base.model_profiles import configured_models
from scoring.services.similes.knowledge_bases import open_base
from scoring.services.similes.score_settings import WITHOUT_MODELS, ScoreSettings
from scoring.textmetrics.candidates import Resources
from scoring.textmetrics.registry import METRICS
from scoring.textmetrics.scores import signature

NOT_INSTALLED = "models_not_installed"
CAUTION = "embedded models: for demonstration"
ASKED_AT_ONCE = 64
Beat = Callable[[], None]
Asked = TypeVar("Asked", bound=Text)
Answered = TypeVar("Answered")


@dataclass(frozen=True)
class Toolkit:
    """Tools, and the provenance that is stored so that their scores can be reproduced."""

    tools: Tools  # For `score_groups`
    # Profile, checkpoints with revision, knowledge base, weights, extractor, versions of the software
    made_with: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Equal for settings that give the same texts the same scores; the device does not matter."""
        models = {name: value for name, value in self.made_with["models"].items() if name != "device"}
        text = json.dumps({**self.made_with, "models": models}, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def caution(self) -> str:
        """Warning that every page and export shows with these scores; empty for none."""
        return CAUTION if self.made_with["models"].get("caution") else ""


@contextmanager
def toolkit(settings: ScoreSettings, beat: Beat = lambda: None) -> Iterator[Toolkit]:
    """Open what the settings name; models are loaded at first use.

    Parameters
    ----------
    settings : ScoreSettings
        Settings of the run.
    beat : callable
        Called before each piece of a model's work.

    Yields
    ------
    Toolkit
        Without the neural parts (`models_not_installed`) where the worker extra is not installed.

    Raises
    ------
    InvalidContent
        The knowledge base or the extractor cannot be used.
    ModelRefused
        A checkpoint is missing or cannot be used.
    """
    models = _models(settings)
    try:
        extract = extractor_named(settings.extractor, known_similes=True)
        base = open_base(settings.base)
    except (ExtractorUnavailable, KnowledgeBaseError) as fault:
        raise InvalidContent(str(fault), code=fault.code) from fault
    with base:
        resources = _resources(settings, models, beat)
        tools = Tools(
            extract=extract,
            base=base,
            nli=batched_by_length(models.nli, beat) if models else None,
            sentiment=batched_by_length(models.sentiment, beat) if models else None,
            no_models=NO_MODELS if settings.profile == WITHOUT_MODELS else NOT_INSTALLED,
            weights=settings.weights,
            metrics=settings.metrics,
            resources=resources,
        )
        trained = _trained(settings.extractor, extract)
        yield Toolkit(tools, {**_made_with(settings, models, base, resources), **trained})


def batched_by_length(
    model: Callable[[Sequence[Any]], Sequence[Answered]], beat: Beat
) -> Callable[[Sequence[Asked]], list[Answered]]:
    """Wrap a model so that it gets its texts in batches, with texts of similar length together.

    Parameters
    ----------
    model : callable
        Texts to answers in their order.
    beat : callable
        Called before each batch of `ASKED_AT_ONCE` texts.

    Returns
    -------
    callable
        The model with batches; it gives the same answers in the same order.
    """

    def asking(texts: Sequence[Asked]) -> list[Answered]:
        positions = sorted(range(len(texts)), key=lambda position: sum(map(len, texts[position])))
        answers: dict[int, Answered] = {}
        for start in range(0, len(positions), ASKED_AT_ONCE):
            beat()
            piece = positions[start : start + ASKED_AT_ONCE]
            answers |= dict(zip(piece, model([texts[position] for position in piece]), strict=True))
        return [answers[position] for position in range(len(texts))]

    return asking


def _models(settings: ScoreSettings) -> Models | None:
    """The models of the run; None if it uses none, or if this installation lacks what they need."""
    if settings.profile == WITHOUT_MODELS or not {"torch", "transformers"} <= installed().keys():
        return None
    return configured_models(settings.profile)


def _needs(settings: ScoreSettings, what: str) -> bool:
    return any(what in METRICS[name].needs for name in settings.metrics)


def _resources(settings: ScoreSettings, models: Models | None, beat: Beat) -> Resources:
    if models is None:
        return Resources(reference_set=settings.reference_set)
    return Resources(
        reference_set=settings.reference_set,
        encoder=batched_by_length(models.encoder, beat) if _needs(settings, ENCODER) else None,
        perplexity=batched_by_length(models.perplexity, beat) if _needs(settings, LANGUAGE_MODEL) else None,
    )


def _trained(name: str, extract: Extractor) -> dict[str, str]:
    """The digest of a trained extractor, because training again under the same name changes scores."""
    if not isinstance(extract, TrainedExtractor):
        return {}
    return {"extractor": short_name(name), "extractor_digest": extract.digest}


def _made_with(
    settings: ScoreSettings, models: Models | None, base: KnowledgeBase, resources: Resources
) -> dict[str, Any]:
    roles = [NLI, SENTIMENT, *(role for role in (ENCODER, LANGUAGE_MODEL) if _needs(settings, role))]
    without = NO_MODELS if settings.profile == WITHOUT_MODELS else NOT_INSTALLED
    about = base.about
    return {
        **settings.as_json(),
        "models": {"reason": without} if models is None else models.described(roles),
        "knowledge_base": {
            "name": settings.base,
            "fingerprint": about.fingerprint,
            "kind": about.origin.kind,
            "sources": [asdict(source) for source in about.origin.sources],
            "triples": about.size.triples,
        },
        "signatures": {name: _signature(name, resources) for name in settings.metrics},
        "software": {"groundwork": release()},
    }


def _signature(name: str, resources: Resources) -> str:
    try:
        return signature(name, resources)
    except PackageNotFoundError:
        return METRICS[name].signature
