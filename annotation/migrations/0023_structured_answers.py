"""Several options and tuples become lists, and so does the order in which options were shown.

Nothing is lost: both ways, files have the same bytes. It stops at a row that it could not write back as it was.
"""

import json

from django.db import migrations
from django.db.migrations.exceptions import IrreversibleError

AT_ONCE = 5000
IN_A_MARK = ("tuple", "part", "start", "end", "text")


class UnreadableAnswer(Exception):
    """A stored answer that this migration cannot take apart."""


def options_to_list(text):
    return text.split("|")


def tuples_to_list(text):
    return json.loads(text)


def options_to_text(content):
    return "|".join(content)


def tuples_to_text(content):
    # A database need not keep the order of the names.
    marks = [{name: mark[name] for name in IN_A_MARK if name in mark} for mark in content]
    return json.dumps(marks, ensure_ascii=False)


TO_LIST = {"multiple": options_to_list, "tuples": tuples_to_list}
TO_TEXT = {"multiple": options_to_text, "tuples": tuples_to_text}


def in_ranges(rows):
    """Yield the rows by ranges of their keys."""
    last = 0
    while some := list(rows.filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
        yield some
        last = some[-1][0]


def write(schema_editor, model, columns, rows):
    table = schema_editor.quote_name(model._meta.db_table)
    assignments = ", ".join(f"{schema_editor.quote_name(name)} = %s" for name in columns)
    with schema_editor.connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table} SET {assignments} WHERE id = %s", rows)


def to_list(name, pk, kind, text):
    """Return the parts of an answer, or stop where its text would not be the same again."""
    try:
        content = TO_LIST[kind](text)
        same = TO_TEXT[kind](content) == text
    except (ValueError, TypeError, KeyError, AttributeError):
        same = False
    if not same:
        raise UnreadableAnswer(
            f"{name} {pk} holds an answer of kind {kind} that this version cannot store: {text[:200]!r}. "
            "Nothing was changed. Correct or delete this answer with the version you had, then migrate again."
        )
    return content


def answers_to_content(apps, schema_editor):
    for name in ("Rating", "FinalAnswer"):
        model = apps.get_model("annotation", name)
        rows = model.objects.using(schema_editor.connection.alias)
        twice = rows.exclude(value=None).exclude(answer="").order_by("pk").first()
        if twice is not None:
            raise UnreadableAnswer(
                f"{name} {twice.pk} has both a number ({twice.value}) and a text ({twice.answer[:200]!r}). "
                "Nothing was changed. Clear one of the two with the version you had, then migrate again."
            )
        found = rows.filter(criterion__kind__in=TO_LIST, value=None)
        for some in in_ranges(found.values_list("pk", "criterion__kind", "answer")):
            changed = [("", json.dumps(to_list(name, pk, kind, text)), pk) for pk, kind, text in some]
            write(schema_editor, model, ("answer", "content"), changed)


def content_to_answers(apps, schema_editor):
    for name in ("Rating", "FinalAnswer"):
        model = apps.get_model("annotation", name)
        found = model.objects.using(schema_editor.connection.alias).exclude(content=None)
        for some in in_ranges(found.values_list("pk", "criterion__kind", "content")):
            foreign = [(pk, kind) for pk, kind, _ in some if kind not in TO_TEXT]
            if foreign:
                raise IrreversibleError(
                    f"{name} {foreign[0][0]} answers a question of kind {foreign[0][1]}, which the version "
                    "before did not know: export and delete its study, then migrate back."
                )
            changed = [(TO_TEXT[kind](content), None, pk) for pk, kind, content in some]
            write(schema_editor, model, ("answer", "content"), changed)


def shown_to_values(apps, schema_editor):
    model = apps.get_model("annotation", "Rating")
    found = model.objects.using(schema_editor.connection.alias).exclude(shown="")
    for some in in_ranges(found.values_list("pk", "shown")):
        write(schema_editor, model, ("shown_values",), [(json.dumps(text.split("|")), pk) for pk, text in some])


def values_to_shown(apps, schema_editor):
    model = apps.get_model("annotation", "Rating")
    found = model.objects.using(schema_editor.connection.alias).exclude(shown_values=[])
    for some in in_ranges(found.values_list("pk", "shown_values")):
        write(schema_editor, model, ("shown",), [("|".join(values), pk) for pk, values in some])


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0022_room_for_structured_answers'),
    ]

    operations = [
        migrations.RunPython(answers_to_content, content_to_answers),
        migrations.RunPython(shown_to_values, values_to_shown),
    ]
