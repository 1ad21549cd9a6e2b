"""`croissant.json`: the bundle's tables as machines find them (MLCommons Croissant 1.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.bundle.contents import BundleFile, Contents, json_file
from scoring.bundle.prose import citation
from scoring.bundle.release.citation import abstract_of, kind_of_ratings, title_of
from scoring.bundle.release.column_types import (
    FRACTION,
    MOMENT,
    TEXT,
    TRUTH,
    WHOLE_NUMBER,
    Types,
    table_name,
    type_of,
)
from scoring.bundle.release.publication import Author
from scoring.bundle.release.responsible_ai import RESPONSIBLE_AI, VOCABULARY, responsible_ai

SPECIFICATION = "http://mlcommons.org/croissant/1.1"
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": VOCABULARY,
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
KINDS = {
    WHOLE_NUMBER: "sc:Integer",
    FRACTION: "sc:Float",
    TRUTH: "sc:Boolean",
    MOMENT: "sc:DateTime",
    TEXT: "sc:Text",
}


def croissant_part(contents: Contents, files: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """The metadata, once the sums of the tables are known."""
    yield json_file("croissant.json", lambda: croissant(contents, files))


def croissant(contents: Contents, files: Sequence[BundleFile]) -> dict[str, Any]:
    """The JSON-LD: each table as CSV with its columns, and how the data came about."""
    publication = contents.publication
    urls = [one.url for one in publication.of_everything]
    tables = [file for file in files if file.columns and file.path.endswith(".csv")]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [SPECIFICATION, RESPONSIBLE_AI],
        "name": _name(contents),
        "alternateName": title_of(contents),
        "description": abstract_of(contents) or contents.study.title,
        "citeAs": citation(contents),
        "datePublished": contents.at.date().isoformat(),
        "version": f"{contents.version or '1.0'}.0",
        "inLanguage": contents.study.language,
        "isLiveDataset": False,
        **({"license": urls if len(urls) > 1 else urls[0]} if urls else {}),
        **({"creator": [_creator(author) for author in publication.authors]} if publication.authors else {}),
        **responsible_ai(contents),
        "distribution": [_file(contents, file) for file in tables],
        "recordSet": [_records(contents, file) for file in tables],
    }


def _name(contents: Contents) -> str:
    """The short name of the study; that of simulated ratings says so."""
    slug, kind = contents.study.slug, kind_of_ratings(contents)
    return f"{slug}-{kind.replace(' ', '-')}" if contents.facts.simulated else slug


def _creator(author: Author) -> dict[str, Any]:
    found = {"@type": "Person" if author.given else "Organization", "name": author.full_name}
    return found | ({"identifier": f"https://orcid.org/{author.orcid}"} if author.orcid else {})


def _file(contents: Contents, file: BundleFile) -> dict[str, Any]:
    written = contents.written[file.path]
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{written.size} B",
        "encodingFormat": "text/csv",
        "sha256": written.digest,
    }


def _records(contents: Contents, file: BundleFile) -> dict[str, Any]:
    name = table_name(file.path)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            _field(contents.types, file, position, column)
            for position, column in enumerate(file.columns, start=1)
        ],
    }


def _field(types: Types, file: BundleFile, position: int, column: str) -> dict[str, Any]:
    table = table_name(file.path)
    plain = re.sub(r"\W", "_", column, flags=re.ASCII)
    # Columns of a study's own may differ only in what a name cannot hold.
    key = f"{table}/{column}" if plain == column else f"{table}/{position}_{plain}"
    return {
        "@type": "cr:Field",
        "@id": key,
        "name": key,
        "description": file.columns[column],
        "dataType": KINDS[type_of(types, table, column)],
        "source": {"fileObject": {"@id": file.path}, "extract": {"column": column}},
    }
