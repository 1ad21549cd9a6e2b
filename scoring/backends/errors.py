"""The error of a model or checkpoint that cannot be used, with its codes."""

from __future__ import annotations

from annotation.domain.base.errors import GroundworkError


class ModelRefused(GroundworkError):
    """A model that cannot be used as requested; the message says which, why and what to do.

    Codes: `worker_extra_missing`, `checkpoint_missing`, `checkpoint_incomplete`, `no_safetensors`,
    `checkpoint_unreadable`, `weights_missing`, `wrong_number_of_labels`, `no_contradiction_label`,
    `no_positive_label`, `no_negative_label`, `no_such_profile`, `no_such_role`, `bad_checkpoint_name`,
    `bad_device`, `bad_dtype`, `bad_option`, `hub_not_reached`, `checkpoint_unknown`, `cache_broken`,
    `bad_judge_address`, `judge_key_refused`, `judge_request_refused`, `labels_not_mapped`,
    `values_look_alike`.
    """

    code = "model_refused"

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, code=code)
