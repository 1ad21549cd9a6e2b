"""Several options and tuples become lists, and so does the order in which options were shown.

Nothing is lost: both ways, files have the same bytes.
"""

import json
from importlib import import_module

from django.db import migrations
from django.db.migrations.exceptions import IrreversibleError

before = import_module("annotation.migrations.0022_room_for_structured_answers")
TO_LIST, TO_TEXT, in_ranges = before.TO_LIST, before.TO_TEXT, before.in_ranges


def write(schema_editor, model, columns, rows):
    table = schema_editor.quote_name(model._meta.db_table)
    assignments = ", ".join(f"{schema_editor.quote_name(name)} = %s" for name in columns)
    with schema_editor.connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table} SET {assignments} WHERE id = %s", rows)


def answers_to_content(apps, schema_editor):
    for name in ("Rating", "FinalAnswer"):
        model = apps.get_model("annotation", name)
        rows = model.objects.using(schema_editor.connection.alias)
        found = rows.filter(criterion__kind__in=TO_LIST, value=None)
        for some in in_ranges(found.values_list("pk", "criterion__kind", "answer")):
            changed = [("", json.dumps(TO_LIST[kind](text)), pk) for pk, kind, text in some]
            write(schema_editor, model, ("answer", "content"), changed)


def content_to_answers(apps, schema_editor):
    for name in ("Rating", "FinalAnswer"):
        model = apps.get_model("annotation", name)
        found = model.objects.using(schema_editor.connection.alias).filter(content__isnull=False)
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
