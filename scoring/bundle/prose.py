"""README, methods paragraph and data sheet: the study's facts in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from config.distribution import release
from scoring.bundle.contents import BundleFile, Contents, text_file
from scoring.bundle.judges import has_judges
from scoring.bundle.media import FOLDER
from scoring.bundle.release.citation import simulation_note, title_of
from scoring.bundle.release.hub_card import LICENCE_FILE, front_matter
from scoring.bundle.release.publication import Licence
from scoring.bundle.sheets import data_sheet
from scoring.selectors.reports.methods import methods_paragraph

MOST_NAMED = 30
# Its source files are one row of the table of files.
PROGRAMME = "recompute/"
PROGRAMME_LICENCE = "GPL-3.0-or-later, as Groundwork"
KINDS = {
    "reliability": "reliability",
    "new_raters": "agreement for new raters",
    "metrics": "metrics compared with ratings",
    "comparison": "comparisons of two metrics",
    "corpus": "results by size of the knowledge base",
    "exclusion_preview": "previews of exclusion rules",
    "multiverse": "results under different exclusions",
    "mixed_model": "ordinal mixed models",
    "power": "simulated power of plans",
    "generalisability": "generalisability",
    "judges": "automatic judges compared with raters",
}

RECOMPUTE = """## Recompute

Run `pip install -r requirements.txt`, then `python recompute` in this folder. The program computes the
numbers of `reports/` and `tables/` from `data/` and compares them; its exit status is 1 if a number
differs. It lists what it does not compute, with the number of figures concerned: F1 of tuples, if an
address or an ID was removed from their words.
"""

STREAMS = """The limits of intervals come from seeded random streams. A stream is NumPy's `default_rng`
(PCG64) of the list [seed, CRC-32 of each of its names]; each report has its seed. α, κ, AC1, AC2, raw
agreement and the unbalanced ICC1 have the names criterion, coefficient (and level or variant) and draw
how often each distinct pattern of values occurs (or each group, if items belong to groups). Held-out
correlations draw items or groups, sixteen replicates from each of the streams (criterion, `held_out`,
0), (criterion, `held_out`, 1), …, and with seed 0 where it is close whether a maximum has limits;
two-way ICCs of incomplete tables draw χ² (criterion, `two-way`); intervals for new raters draw items
(or groups), then raters, sixteen replicates from each of the streams (criterion, `new_raters`, 0),
(criterion, `new_raters`, 1), …; correlations of metrics share one stream, `units`; true means of
systems have (`true means`, their number), systems `systems`, permutations `swaps`, differences of
reliability (`difference`, `paired`), parts of held-out thresholds `folds`, random halves (criterion,
`halves`). α of sets of options draws items or groups from (criterion, `masi`), advantages of judges
items or groups from (`advantage`, criterion), strengths pairs or groups from (criterion,
`bradley_terry`), F1 of tuples items or groups from (criterion and part, `exact` or `overlap`). Limits
of α and Fleiss' κ of ratings on scales are bias-corrected and accelerated with 20 to 2,000 items or
groups. Shares of answers have Wilson's interval, which needs no random numbers. The code in
`recompute/` has the details. NumPy guarantees a stream only within a version; study.json names the
versions used. With other versions, limits may differ by the error of the bootstrap; estimates do not.
"""

LOAD = """## Load

```python
from datasets import load_dataset

ratings = load_dataset("/path/to/this/folder", "ratings")["train"]
```

In CSV, TSV and XLSX, a text that a spreadsheet would run as a formula begins with an apostrophe.
Parquet and JSON Lines have the texts unchanged. `labels.json` has the answers of each rater to each
item side by side, with their shares as soft labels.
"""

JUDGES = """## Automatic judges

`data/judgements.csv` has the answers of models and automatic scores. No table of ratings has them, and no
result of the raters uses them. `judges.json` says how each judge was set up. `reports/judges.json`, if it is
there, compares judges with raters.
"""

PEOPLE = """## People

Raters and study members appear under codes. Platform IDs, names and email addresses are not in these
files; known ones in comments are replaced by a code or by [removed]. Raters' answers to
demographic questions are not exported here.
"""


def prose_part(contents: Contents, files: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`README.md`, `methods.md`, `datasheet.md`, and `LICENSE.md` where a licence was declared."""
    if contents.publication.licences:
        yield text_file(LICENCE_FILE, lambda: f"# Licence\n\n{title_of(contents)}\n\n{_licences(contents)}")
    yield text_file("methods.md", lambda: methods_paragraph(contents.study, contents.facts) + "\n")
    yield text_file("datasheet.md", lambda: data_sheet(contents))
    yield text_file("README.md", lambda: readme(contents, files))


def citation(contents: Contents) -> str:
    """BibTeX of the data; without authors where none were named."""
    study = contents.study
    authors = " and ".join(
        author.full_name if author.given else f"{{{author.family}}}"
        for author in contents.publication.authors
    )
    return "\n".join(
        [
            f"@misc{{{study.slug.replace('-', '_')}_{contents.at.year},",
            *([f"  author = {{{authors}}},"] if authors else []),
            f"  title = {{{title_of(contents)}}},",
            f"  year = {{{contents.at.year}}},",
            *([f"  version = {{{contents.version}}},"] if contents.version else []),
            f"  note = {{Groundwork {release()}, exported {contents.at:%Y-%m-%d}}}",
            "}",
        ]
    )


def readme(contents: Contents, files: Sequence[BundleFile]) -> str:
    """The front matter by which `datasets` loads the folder, then what is in it."""
    study = contents.study
    sections = [
        front_matter(contents, files),
        f"# {study.title}\n",
        f"{study.description}\n" if study.description else "",
        f"**{simulation_note(contents)}**\n" if simulation_note(contents) else "",
        methods_paragraph(study, contents.facts) + "\n",
        _files(files),
        RECOMPUTE,
        _left_out(contents),
        STREAMS,
        LOAD,
        JUDGES if has_judges(contents) else "",
        PEOPLE,
        f"## Licence\n\n{_licences(contents)}",
        f"## Cite\n\n```bibtex\n{citation(contents)}\n```\n",
    ]
    return "\n".join(section for section in sections if section)


def _licences(contents: Contents) -> str:
    """The licence of each part."""
    publication = contents.publication
    if publication.are_texts_reserved:
        texts = "no licence; others have the rights to them, so ask them"
    else:
        texts = _named(publication.of_texts)
    return f"""| part | licence |
|---|---|
| ratings, forms, results, documents | {_named(publication.licence)} |
| texts of items | {texts} |
| program in `recompute/` | {PROGRAMME_LICENCE} |
"""


def _named(licence: Licence | None) -> str:
    if licence is None:
        return "No licence is declared: ask whoever published the data"
    return f"[{licence.name}]({licence.url})"


def _files(files: Sequence[BundleFile]) -> str:
    lines = ["## Files", "", "| file | columns |", "|---|---|"]
    for file in files:
        if file.path.startswith((PROGRAMME, FOLDER)):
            continue
        names = ", ".join(f"`{name}`" for name in list(file.columns)[:MOST_NAMED])
        more = " …" if len(file.columns) > MOST_NAMED else ""
        lines.append(f"| `{file.path}` | {names}{more} |")
    folders = [PROGRAMME, *([FOLDER] if any(one.path.startswith(FOLDER) for one in files) else [])]
    lines += [f"| `{folder}` |  |" for folder in folders]
    last = "`data/codebook.csv` describes every column; `SHA256SUMS` has the checksum of every file.\n"
    return "\n".join([*lines, "", last])


def _left_out(contents: Contents) -> str:
    lines = []
    if contents.stale:
        since = "Not included, because the data or the definitions have changed since they were computed"
        lines.append(f"{since}: {_kinds(report.kind for report in contents.stale)}.\n")
    if contents.excluded_kinds:
        lines.append(f"Not part of a bundle: {_kinds(contents.excluded_kinds)}.\n")
    return "\n".join(lines)


def _kinds(kinds: Iterable[str]) -> str:
    return ", ".join(KINDS[kind] for kind in sorted(set(kinds)))
