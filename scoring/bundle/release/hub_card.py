"""The front matter of `README.md`, by which a data hub and `datasets` know the tables of the folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from scoring.bundle.contents import BundleFile, Contents
from scoring.bundle.release.citation import keywords_of, title_of
from scoring.bundle.release.column_types import dtype_of, table_name
from scoring.bundle.release.publication import Publication

LOADED = ("ratings", "items", "scores", "judgements")
# Upper ends and names of sizes on the hub
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"
LICENCE_FILE = "LICENSE.md"


def front_matter(contents: Contents, files: Sequence[BundleFile]) -> str:
    """The YAML of a data card, between its marks."""
    publication, n = contents.publication, contents.facts.ratings
    there = {table_name(file.path) for file in files if file.path.endswith(".parquet")}
    card: dict[str, Any] = {"pretty_name": title_of(contents), "language": [contents.study.language]}
    card |= _licence(publication) | {
        "tags": [word.replace(" ", "-") for word in keywords_of(contents)],
        "size_categories": [next((name for end, name in SIZES if n < end), LARGEST)],
        "configs": [
            {"config_name": name, "data_files": f"data/{name}.parquet"}
            | ({"default": True} if name == LOADED[0] else {})
            for name in LOADED
            if name in there
        ],
        "dataset_info": [
            {"config_name": table_name(file.path), "features": _features(contents, file)}
            for file in files
            if file.path.endswith(".parquet") and table_name(file.path) in LOADED
        ],
    }
    text = yaml.safe_dump(card, allow_unicode=True, sort_keys=False)
    return f"---\n{text}---\n"


def _licence(publication: Publication) -> dict[str, str]:
    """A licence that the hub knows; else `other`, with a name and the file that has that of each part."""
    whole = publication.of_everything
    if len(whole) == 1:
        return {"license": whole[0].hub}
    if not publication.licences:
        return {}
    data = publication.licence.hub if publication.licence else "no-licence"
    texts = publication.of_texts.hub if publication.of_texts else "reserved"
    return {"license": "other", "license_name": f"{data}-texts-{texts}", "license_link": LICENCE_FILE}


def _features(contents: Contents, file: BundleFile) -> list[dict[str, str]]:
    table = table_name(file.path)
    return [{"name": name, "dtype": dtype_of(contents.types, table, name)} for name in file.columns]
