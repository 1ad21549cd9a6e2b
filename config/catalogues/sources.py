"""Where the sentences of the catalogues are: in what a rater's page is made of.

Nothing is listed by hand but the pages of errors: a template that extends the raters' base is one of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from config.settings.places import ROOT, WEB

TEMPLATES = WEB / "templates"
BASE = "annotation/base/rater_base.html"
PAGES_OF_ERRORS = (
    "400.html",
    "404.html",
    "errors/csrf.html",
    "errors/disk_full.html",
    "errors/not_allowed.html",
)
QUESTIONS = "annotation/questions"
NAMED = re.compile(r"""{%\s*(?:extends|include)\s+["']([\w/.-]+)["']""")
EXTENDED = re.compile(r"""{%\s*extends\s+["']([\w/.-]+)["']""")
OF_EACH_KIND = re.compile(r"""question_template:["'](\w+)["']""")
TAG = re.compile(r"{%\s*(\w+)")
LOADED = re.compile(r"{%\s*load\s+([\w ]+?)\s*%}")
OWN_TAGS = ROOT / "annotation" / "templatetags"
ALWAYS_LOADED = ("components", "rater_words")
# What may be said to raters outside templates: by their views and, as messages, by any rule or service.
VIEWS = ROOT / "annotation" / "views" / "rating"
SERVICES = ROOT / "annotation" / "services" / "rating"
RULES = ROOT / "annotation"


def rater_templates() -> list[Path]:
    """List the templates that a rater's page may be made of, in the order of their names."""
    everywhere = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html")}
    waiting = [name for name in everywhere if _extends_base(name)] + [BASE, *PAGES_OF_ERRORS]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found and name in everywhere:
            found.add(name)
            waiting += _parts_of(name)
    return sorted(TEMPLATES / name for name in found)


def rater_modules() -> list[Path]:
    """List the modules whose gettext calls speak to raters: their views, services and template tags."""
    loaded = {
        name for path in rater_templates() for names in LOADED.findall(_text(path)) for name in names.split()
    }
    tags = (OWN_TAGS / f"{name}.py" for name in {*loaded, *ALWAYS_LOADED})
    modules = {path for path in tags if path.exists()}
    return sorted(modules | set(VIEWS.glob("*.py")) | set(SERVICES.glob("*.py")))


def modules_with_messages() -> list[Path]:
    """List the modules of the collecting side, any of which may say a message."""
    return sorted(RULES.rglob("*.py"))


def _extends_base(name: str) -> bool:
    parents = EXTENDED.findall(_text(TEMPLATES / name))
    return bool(parents) and (parents[0] == BASE or _extends_base(parents[0]))


def _parts_of(name: str) -> Iterator[str]:
    text = _text(TEMPLATES / name)
    yield from NAMED.findall(text)
    yield from (f"components/{tag}.html" for tag in TAG.findall(text))
    for wanted in OF_EACH_KIND.findall(text):
        yield f"{QUESTIONS}/{wanted}.html"
        yield from (
            str(path.relative_to(TEMPLATES)) for path in TEMPLATES.glob(f"{QUESTIONS}/*/{wanted}.html")
        )


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
