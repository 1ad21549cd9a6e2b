"""The data hub to which releases are uploaded, by `huggingface_hub`; only workers call it."""

from __future__ import annotations

from pathlib import Path

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message


def upload_dataset(
    folder: Path, *, repository: str, private: bool, about: str, address: str, token: str
) -> str:
    """Upload a folder as the content of a data set, which is created if there is none.

    Parameters
    ----------
    folder : Path
        Its files; those that the data set had besides are deleted.
    repository : str
        Owner and name of the data set.
    private : bool
        Whether a data set that is created is private.
    about : str
        What is said of this version.
    address, token : str
        Of the hub.

    Returns
    -------
    str
        The address of the version.

    Raises
    ------
    GroundworkError
        `worker_extra_missing`, `hub_refused` or `hub_not_reached`.
    """
    try:
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HfHubHTTPError, HTTPError
    except ImportError as error:
        missing = message("The program huggingface_hub is not installed. Install the extra “worker”.")
        raise GroundworkError(missing, code="worker_extra_missing") from error
    api = HfApi(endpoint=address, token=token)
    try:
        api.create_repo(repository, repo_type="dataset", private=private, exist_ok=True)
        commit = api.upload_folder(
            repo_id=repository,
            repo_type="dataset",
            folder_path=folder,
            commit_message=about,
            delete_patterns="*",
        )
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else 0
        refused = message(
            "The data hub refused the upload to %(repository)s (status %(status)d). Check the name of the "
            "data set and the rights of the token.",
            repository=repository,
            status=status,
        )
        raise GroundworkError(refused, code="hub_refused") from error
    except (OSError, ValueError, HTTPError) as error:
        sentence = message("The data hub could not be reached: %(why)s", why=str(error)[:200])
        raise GroundworkError(sentence, code="hub_not_reached") from error
    return str(commit.commit_url)
