"""What can be done with a sent file: each application registers its acts."""

from __future__ import annotations

from dataclasses import dataclass

TABLE = "annotation.io.base.readers.stream_table"


@dataclass(frozen=True, slots=True)
class UploadAct:
    """What a worker does with the files that were sent for one purpose.

    Functions are named by dotted paths, so that a process that only receives files loads none of them.

    Parameters
    ----------
    key : str
        Stored in the upload's row.
    run : str
        Stores what the file holds: `run(upload=..., path=...)` returns JSON values that say what was stored.
    reader : str
        Reads the file beforehand in a process with limits: `reader(path, name=..., **options)`. There is no
        act without one.
    several : bool
        It takes several files: reader and `run` get the folder in which they are, under their own names.
    reader_options : tuple of str
        Those of the upload's options that the reader takes.
    before : str
        Called with the same arguments before the transaction in which `run` ends the job, for what would hold
        its locks for long, such as writing large files. It may be called again for the same upload.
    repeatable : bool
        To run it twice does no harm, so that it need not be in the transaction that ends the job.
    """

    key: str
    run: str
    reader: str = TABLE
    several: bool = False
    reader_options: tuple[str, ...] = ()
    before: str = ""
    repeatable: bool = False


_acts: dict[str, UploadAct] = {}


def register_act(act: UploadAct) -> None:
    """Register an act under its key; the application that owns it does so when it starts.

    Raises
    ------
    ValueError
        Another act has the same key.
    """
    if _acts.setdefault(act.key, act) != act:
        raise ValueError(f"The act {act.key!r} for sent files is registered twice.")


def act_named(key: str) -> UploadAct:
    """The act with a key, as in `Upload.act`."""
    return _acts[key]
