"""The data hub to which releases are uploaded, by `huggingface_hub`; only workers call it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message

if TYPE_CHECKING:
    from huggingface_hub import DatasetInfo, HfApi


class Uploaded(NamedTuple):
    """Where the version is, and whether only members of the data set's owner see it."""

    address: str
    private: bool


# The hub itself adds them to a data set that is new.
OF_THE_HUB = {".gitattributes"}


def upload_dataset(
    folder: Path, *, repository: str, own: bool, private: bool, about: str, address: str, token: str
) -> Uploaded:
    """Upload a folder as the content of a data set, which is created if there is none.

    Parameters
    ----------
    folder : Path
        Its files; those that the data set had besides are deleted.
    repository : str
        Owner and name of the data set.
    own : bool
        Whether the study has uploaded to this data set before, so that its files may be replaced.
    private : bool
        Whether the data set is created as private, or has to be private.
    about : str
        Description of this version, different for every version: a data set whose newest version has this
        description is the same upload, interrupted before it was recorded.
    address, token : str
        Of the hub.

    Returns
    -------
    Uploaded
        The address of the version and the visibility of the data set, as the hub states it.

    Raises
    ------
    GroundworkError
        `worker_extra_missing`, `hub_refused`, `hub_not_reached`, `repository_taken` or `repository_public`.
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
        found = _refuse_others(api, repository, own=own, private=private, about=about)
        commit = api.upload_folder(
            repo_id=repository,
            repo_type="dataset",
            folder_path=folder,
            commit_message=about,
            delete_patterns="*",
            parent_commit=found.sha,
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
    return Uploaded(str(commit.commit_url), bool(found.private))


def _refuse_others(api: HfApi, repository: str, *, own: bool, private: bool, about: str) -> DatasetInfo:
    found = api.dataset_info(repository)
    if private and not found.private:
        public = message(
            "The data set %(repository)s is public. Choose another name, or allow a public data set.",
            repository=repository,
        )
        raise GroundworkError(public, code="repository_public")
    has_files = bool({one.rfilename for one in found.siblings or ()} - OF_THE_HUB)
    if own or not has_files:
        return found
    if api.list_repo_commits(repository, repo_type="dataset")[0].title != about:
        taken = message(
            "The data set %(repository)s has files that this study did not upload. Choose another name.",
            repository=repository,
        )
        raise GroundworkError(taken, code="repository_taken")
    return found
