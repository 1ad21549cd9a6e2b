"""What a study exports that is no table: its tuples in CMDAG's own JSON, and as BIO tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotation.domain.bio import bio_lines
from annotation.models import Study
from annotation.selectors.cmdag import cmdag_json
from annotation.selectors.tuples import texts_of, tuple_answers


@dataclass(frozen=True)
class Document:
    """A file: its ending, its type, and how its pieces are made."""

    ending: str
    content_type: str
    pieces: Callable[[Study], Iterator[bytes]]


def bio(study: Study) -> Iterator[bytes]:
    """The located tuples, a block for each annotator of an item; what is excluded or late is left out."""
    texts = texts_of(study)
    who = "rater" if study.identified else "slot"
    for answer, marks in tuple_answers(study):
        if answer["excluded"] or (answer["late"] and not study.include_late):
            continue
        lines = [f"# item = {answer['item']}", f"# {who} = {answer[who]}"]
        lines += bio_lines(texts[answer["form"]].get(answer["item"], ""), marks)
        yield ("\n".join(lines) + "\n\n").encode("utf-8")


DOCUMENTS = {
    "cmdag": Document("json", "application/json", cmdag_json),
    "bio": Document("conll", "text/plain; charset=utf-8", bio),
}
