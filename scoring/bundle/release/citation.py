"""`CITATION.cff` and `.zenodo.json`: how the data are cited, and what an archive asks of a deposit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from config.distribution import release
from scoring.bundle.contents import BundleFile, Contents, json_file, text_file

FIELD = "figurative language"
SCHEMA = "1.2.0"


def citation_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """Both files, where authors were named: neither format allows a work without one."""
    if contents.publication.authors:
        yield text_file("CITATION.cff", lambda: citation_file(contents))
        yield json_file(".zenodo.json", lambda: zenodo(contents))


def title_of(contents: Contents) -> str:
    """The title under which the data are cited."""
    return f"{contents.study.title}: {kind_of_ratings(contents)}"


def kind_of_ratings(contents: Contents) -> str:
    """`human ratings`, unless simulated raters gave all or some of them."""
    facts = contents.facts
    if not facts.simulated:
        return "human ratings"
    return "simulated ratings" if facts.simulated == facts.raters else "human and simulated ratings"


def simulation_note(contents: Contents) -> str:
    """What a reader must know of simulated ratings before any number; empty where there are none."""
    facts = contents.facts
    if not facts.simulated:
        return ""
    return f"{facts.simulated} of {facts.raters} raters are simulated: a program gave their ratings."


def abstract_of(contents: Contents) -> str:
    """The description of the study, and the note on simulated ratings."""
    return " ".join(part for part in (contents.study.description, simulation_note(contents)) if part)


def keywords_of(contents: Contents) -> list[str]:
    """Keywords; data without a single human rating are not called so."""
    kind = kind_of_ratings(contents)
    return [kind, *(["human evaluation"] if kind.startswith("human") else []), FIELD]


def citation_file(contents: Contents) -> str:
    """The Citation File Format 1.2.0 (Druskat et al. 2021)."""
    publication = contents.publication
    content: dict[str, Any] = {
        "cff-version": SCHEMA,
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": title_of(contents),
        "authors": [_cff_author(author.family, author.given, author.orcid) for author in publication.authors],
        "date-released": contents.at.date().isoformat(),
        "keywords": keywords_of(contents),
    }
    if contents.version:
        content["version"] = contents.version
    if abstract_of(contents):
        content["abstract"] = abstract_of(contents)
    if len(publication.of_everything) == 1:
        content["license"] = publication.of_everything[0].spdx
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False)


def _cff_author(family: str, given: str, orcid: str) -> dict[str, str]:
    """A person, or a group where there are no given names."""
    found = {"family-names": family, "given-names": given} if given else {"name": family}
    return found | ({"orcid": f"https://orcid.org/{orcid}"} if orcid else {})


def zenodo(contents: Contents) -> dict[str, Any]:
    """What Zenodo reads of a deposit."""
    publication = contents.publication
    found: dict[str, Any] = {
        "title": title_of(contents),
        "upload_type": "dataset",
        "description": abstract_of(contents) or contents.study.title,
        "creators": [
            {"name": author.full_name, **({"orcid": author.orcid} if author.orcid else {})}
            for author in publication.authors
        ],
        "keywords": keywords_of(contents),
        "publication_date": contents.at.date().isoformat(),
        "notes": f"Collected and exported with Groundwork {release()}.",
    }
    if contents.version:
        found["version"] = contents.version
    if len(publication.of_everything) == 1:
        found |= {"license": publication.of_everything[0].spdx.lower(), "access_right": "open"}
    elif publication.licences:
        found["notes"] += " Data and texts have different licences, see README.md."
    return found
