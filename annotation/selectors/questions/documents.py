"""Exports of a study that are not tables: its tuples in CMDAG's own JSON, and as BIO tags."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.domain.questions.bio_tags import bio_lines
from annotation.models import Study
from annotation.selectors.base.table_types import Document
from annotation.selectors.questions.cmdag import cmdag_json
from annotation.selectors.questions.tuple_tables import texts_of, tuple_answers


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
