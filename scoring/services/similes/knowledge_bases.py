"""The installation's knowledge bases: created by commands, chosen by name; the demo's always exists."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.protocols.demo.hauser import DEMO
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.components.built_in import extract
from scoring.hauser.knowledge.collecting.collect import collect
from scoring.hauser.knowledge.corpus import Layout
from scoring.hauser.knowledge.corpus_build import build_from_components, build_from_corpus
from scoring.hauser.knowledge.file_format import About, KnowledgeBaseError, Source
from scoring.hauser.knowledge.folder import Folder
from scoring.hauser.knowledge.import_file import Progress, ignore_progress, import_triples
from scoring.hauser.knowledge.lookup import KnowledgeBase
from scoring.services.base.report_store import software
from scoring.services.similes.everyday_similes import EVERYDAY

DEMO_BASE = "demo"


def folder() -> Folder:
    """The folder of the knowledge bases of this installation."""
    return Folder(Path(settings.KNOWLEDGE_FOLDER))


def import_base(
    *, source: Path, name: str, replace: bool = False, progress: Progress = ignore_progress
) -> About:
    """Import a table of triples, such as MAPS-KB's, as a knowledge base.

    Parameters
    ----------
    source : Path
        CSV with the columns of `scoring.hauser.knowledge.import_file`.
    name : str
        Name of the base.
    replace : bool
        Whether it replaces one of that name.
    progress : callable
        Called as `progress(done, total)`, in bytes.

    Raises
    ------
    KnowledgeBaseError
        `bad_name`, `name_taken`, and as of `import_triples`.
    """
    bases = folder()
    target = bases.place_for(name, replace=replace)
    return import_triples(source, target, bases.staging(name), software=software(), progress=progress)


def build_base(
    *,
    corpora: Sequence[Path],
    name: str,
    layout: Layout,
    exclude: Path | None = None,
    processes: int = 1,
    replace: bool = False,
    progress: Progress = ignore_progress,
) -> About:
    """Build a knowledge base from sentences.

    Parameters
    ----------
    corpora : sequence of Path
        Text, JSONL, or either packed with gzip.
    name : str
        Name of the base.
    layout : Layout
        Layout of the files.
    exclude : Path or None
        A text of sentences to leave out.
    processes : int
        Number of processes that search for similes.
    replace : bool
        Whether it replaces one of that name.
    progress : callable
        Called as `progress(done, total)`, in bytes.

    Raises
    ------
    KnowledgeBaseError
        `bad_name`, `name_taken`, and as of `build_from_corpus`.
    """
    bases = folder()
    target = bases.place_for(name, replace=replace)
    return build_from_corpus(
        corpora,
        target,
        bases.staging(name),
        software=software(),
        layout=layout,
        exclude=exclude,
        processes=processes,
        progress=progress,
    )


def collect_base(
    *,
    sources: Sequence[Path],
    name: str,
    exclude: Path | None = None,
    replace: bool = False,
    progress: Progress = ignore_progress,
) -> About:
    """Collect a knowledge base from files of similes.

    Parameters
    ----------
    sources : sequence of Path
        Files, and folders of them.
    name : str
        Name of the base.
    exclude : Path or None
        A text of sentences to leave out.
    replace : bool
        Whether it replaces one of that name.
    progress : callable
        Called as `progress(done, total)`, in bytes.

    Raises
    ------
    KnowledgeBaseError
        `bad_name`, `name_taken`, and as of `collect`.
    """
    bases = folder()
    target = bases.place_for(name, replace=replace)
    return collect(
        sources, target, bases.staging(name), software=software(), exclude=exclude, progress=progress
    )


def open_base(name: str) -> KnowledgeBase:
    """Open a knowledge base by its name; the demo's is created where it is missing.

    Parameters
    ----------
    name : str
        Name of the base.

    Raises
    ------
    KnowledgeBaseError
        `bad_name`, `no_such_base` and `not_a_base`.
    """
    if name == DEMO_BASE:
        ensure_demo_base()
    return folder().open(name)


def known_bases() -> dict[str, About | KnowledgeBaseError]:
    """All knowledge bases by name, with a description of each or the reason why it cannot be read."""
    ensure_demo_base()
    bases = folder()
    known: dict[str, About | KnowledgeBaseError] = {}
    for name in bases.names():
        try:
            known[name] = bases.about(name)
        except KnowledgeBaseError as fault:
            known[name] = fault
    return known


def ensure_demo_base() -> None:
    """Create the base of the demo's and everyday similes if there is none that this version can read."""
    bases = folder()
    if _is_readable(DEMO_BASE):
        return
    target = bases.place_for(DEMO_BASE, replace=True)
    # Its own staging file, because two processes may build the same base at once.
    staging = bases.staging(f"{DEMO_BASE}_{os.getpid()}")
    texts = "\n".join([*(item.fields["simile"] for item in DEMO.items), *EVERYDAY]).encode()
    source = Source("the demo's and everyday similes", len(texts), sha256(texts).hexdigest())
    extractions = [*(_given(item.components) for item in DEMO.items), *map(extract, EVERYDAY)]
    build_from_components(extractions, target, staging, software=software(), source=source)


def _is_readable(name: str) -> bool:
    try:
        folder().about(name)
    except KnowledgeBaseError:
        return False
    return True


def _given(components: Sequence[Mapping[str, Any]]) -> Extraction:
    """The one pair of a demo simile, whose components are marked."""
    parts = {part["part"]: Part(part["text"], part["start"], part["end"]) for part in components}
    pair = Components(parts.get("topic"), parts["vehicle"], parts.get("event"), parts.get("property"))
    return Extraction((pair,))
