"""Columns for answers with parts, and for the order of options as a list; 0023 fills them.

Before anything is changed it reads all answers, and stops at one that could not be written back as it was.
"""

import json

from django.db import migrations, models

AT_ONCE = 5000
IN_A_MARK = ("tuple", "part", "start", "end", "text")


class UnreadableAnswer(Exception):
    """A stored answer that cannot be stored as a list without a change."""


def tuples_to_text(content):
    # A database need not keep the order of the names.
    marks = [{name: mark[name] for name in IN_A_MARK if name in mark} for mark in content]
    return json.dumps(marks, ensure_ascii=False)


TO_LIST = {"multiple": lambda text: text.split("|"), "tuples": json.loads}
TO_TEXT = {"multiple": "|".join, "tuples": tuples_to_text}


def in_ranges(rows):
    """Yield the rows by ranges of their keys."""
    last = 0
    while some := list(rows.filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
        yield some
        last = some[-1][0]


def comes_back(kind, text):
    """Return whether an answer has the same text again after it was a list."""
    try:
        content = TO_LIST[kind](text)
        return bool(content) and TO_TEXT[kind](content) == text
    except (ValueError, TypeError, KeyError, AttributeError):
        return False


def refuse_what_would_change(apps, schema_editor):
    for name in ("Rating", "FinalAnswer"):
        rows = apps.get_model("annotation", name).objects.using(schema_editor.connection.alias)
        twice = rows.exclude(value=None).exclude(answer="").order_by("pk").first()
        if twice is not None:
            raise UnreadableAnswer(
                f"{name} {twice.pk} has both a number ({twice.value}) and a text ({twice.answer[:200]!r}). "
                "Nothing was changed. Clear one of the two with the version you had, then migrate again."
            )
        found = rows.filter(criterion__kind__in=TO_LIST, value=None)
        for some in in_ranges(found.values_list("pk", "criterion__kind", "answer")):
            for pk, kind, text in some:
                if not comes_back(kind, text):
                    raise UnreadableAnswer(
                        f"{name} {pk} holds an answer of kind {kind} that this version cannot store: "
                        f"{text[:200]!r}. Nothing was changed. Correct or delete this answer with the version "
                        "you had, then migrate again."
                    )


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0021_numbers_as_floats'),
    ]

    operations = [
        migrations.RunPython(refuse_what_would_change, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name='finalanswer', name='final_answer_says_something'),
        migrations.RemoveConstraint(model_name='rating', name='rating_says_something'),
        migrations.AddField(
            model_name='finalanswer',
            name='content',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='content',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='shown_values',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
