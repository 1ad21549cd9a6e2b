"""The models that this installation offers by its settings."""

from __future__ import annotations

from typing import cast

from django.conf import settings

from scoring.backends.cache import AnswerCache
from scoring.backends.inference import Compute, Dtype
from scoring.backends.models import Models
from scoring.backends.profiles import CUSTOM, PROFILES, Profile, profile

ANSWERS = "answers.sqlite3"


def offered_profiles() -> tuple[str, ...]:
    """Names of the profiles that a run may choose; `custom` where the settings name checkpoints."""
    return (*PROFILES, CUSTOM) if settings.MODEL_CHECKPOINTS else tuple(PROFILES)


def configured_profile(name: str) -> Profile:
    """A profile by its name; `custom` is `paper` with the checkpoints of the settings.

    Raises
    ------
    ModelRefused
        `no_such_profile` or `bad_checkpoint_name`.
    """
    if name == CUSTOM and settings.MODEL_CHECKPOINTS:
        return profile("paper", settings.MODEL_CHECKPOINTS, encoder_layer=settings.MODEL_ENCODER_LAYER)
    return profile(name)


def configured_models(name: str) -> Models:
    """The models of a profile with the folder, device, precision and file of answers of the settings.

    Parameters
    ----------
    name
        One of `offered()`.

    Returns
    -------
    Models
        Nothing is loaded before it is asked.

    Raises
    ------
    ModelRefused
        As `configured_profile`.
    """
    compute = Compute(
        device=settings.MODEL_DEVICE,
        dtype=cast(Dtype, settings.MODEL_DTYPE),
        threads=settings.MODEL_THREADS or None,
        batch=settings.MODEL_BATCH,
    )
    folder = settings.MODEL_FOLDER
    return Models(configured_profile(name), folder, compute, AnswerCache(folder / ANSWERS))
