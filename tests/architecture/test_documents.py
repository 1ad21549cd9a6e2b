"""Every document can be reached, and its links lead to pages and headings that exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.architecture.pages import PAGES, ROOT, anchors_of, links_of

SETTINGS = ("deployment.md", "models.md")
# By its wheel, or by name, with or without extras.
OUR_WHEEL = re.compile(r"\S*groundwork_ratings-\S+\.whl(?:\[[\w,]+\])?")
ELSE_NEEDED = {"spacy", "requirements.txt"}
# Where papers are named, and their years.
CITING = ("annotation", "scoring", "config", "docs", "templates", "benchmarks")
CITING_FILES = {".py", ".md", ".html", ".po", ".cff"}
YEARS = {"HAUSER": "2023", "HANNA": "2022", "CMDAG": "2024"}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    broken = []
    for link in links_of(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(link)
    assert broken == []


def test_the_readme_leads_to_the_contents_and_to_every_document_next_to_it() -> None:
    """The contents, `nav` of the site, name every page of `docs/`: the strict build checks it."""
    readme = ROOT / "README.md"
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in links_of(readme)}
    neighbours = {ROOT / name for name in ("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff")}
    assert {*neighbours, ROOT / "docs" / "index.md", ROOT / "docs" / "commands.md"} - linked == set()


def test_the_citation_names_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])


def test_the_changes_name_every_migration_since_the_first_one_they_name() -> None:
    """Who upgrades reads there which migration belongs to which change."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for application, first in (("annotation", 36), ("scoring", 10)):
        numbers = {path.name[:4] for path in (ROOT / application / "migrations").glob("0*.py")}
        unnamed = {number for number in numbers if int(number) >= first and f"`{number}`" not in changes}
        assert unnamed == set(), f"CHANGELOG.md does not name migrations of {application}: {unnamed}"


def test_the_issue_forms_are_forms() -> None:
    forms = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
    assert len(forms) == 3
    for path in forms:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= form.keys()


def test_decisions_have_numbers_of_their_own_and_say_them() -> None:
    decisions = sorted((ROOT / "docs" / "adr").glob("*.md"))
    numbers = [int(path.name.partition("-")[0]) for path in decisions]
    assert numbers == list(range(1, len(decisions) + 1))
    titles = [path.read_text(encoding="utf-8").splitlines()[0] for path in decisions]
    assert [title.partition(". ")[0] for title in titles] == [f"# {number}" for number in numbers]


def test_every_setting_that_is_read_is_documented() -> None:
    settings = (ROOT / "config" / "settings").glob("*.py")
    texts = [path.read_text(encoding="utf-8") for path in settings]
    read = {name for text in texts for name in re.findall(r'\benv\.\w+\(\s*"([A-Z_]+)"', text)}
    documented = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in SETTINGS)
    assert len(read) > 30
    assert sorted(name for name in read if name not in documented) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_pip_install_names_our_distribution_with_extras_that_it_has(page: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"pip install (?:--?[\w-]+ )*['\"]?([^\s'\"`,]+)", page.read_text(encoding="utf-8"))
    wrong = []
    for given in named:
        name, _, extras = given.partition("==")[0].rstrip("]").partition("[")
        ours = name == project["name"] and set(filter(None, extras.split(","))) <= {
            *project["optional-dependencies"]
        }
        if not (ours or OUR_WHEEL.fullmatch(given) or given in ELSE_NEEDED):
            wrong.append(given)
    assert wrong == []


def test_the_site_builds_strictly_and_asks_no_other_server(tmp_path: Path) -> None:
    """A broken link or anchor, and a page that the navigation does not name, stop the build."""
    configuration = str(ROOT / "docs" / "site" / "mkdocs.yml")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "-f",
        configuration,
        "-d",
        str(tmp_path),
    ]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    asked = re.compile(r"<(?:script|img|link|iframe)\b[^>]*(?:src|href)=[\"']?(https?://[^\"' >]+)")
    assert [
        found for page in tmp_path.rglob("*.html") for found in asked.findall(page.read_text("utf-8"))
    ] == []


def citing_texts() -> list[tuple[Path, str]]:
    found = [path for folder in CITING for path in (ROOT / folder).rglob("*") if path.suffix in CITING_FILES]
    found += [ROOT / "README.md", ROOT / "CITATION.cff"]
    return [(path, path.read_text(encoding="utf-8")) for path in found]


@pytest.mark.parametrize(("name", "year"), YEARS.items())
def test_a_paper_is_cited_with_its_year(name, year):
    pattern = re.compile(rf"\b{name}\b,? \(?((?:19|20)\d\d)\)?")
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path, text in citing_texts()
        for found in pattern.finditer(text)
        if found[1] != year
    ]
    assert wrong == []


def test_the_page_on_the_icc_separates_model_definition_and_unit():
    text = (ROOT / "docs/statistics/icc.md").read_text(encoding="utf-8")
    assert all(f"**{one}.**" in text for one in ("Model", "Definition", "Unit"))
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `icc")]
    assert {row[0].strip("| `"): (row[2], row[3]) for row in rows} == {
        "icc1": ("agreement", "single"),
        "icc1k": ("agreement", "mean"),
        "icc2": ("agreement", "single"),
        "icc2k": ("agreement", "mean"),
        "icc3": ("consistency", "single"),
        "icc3k": ("consistency", "mean"),
    }
