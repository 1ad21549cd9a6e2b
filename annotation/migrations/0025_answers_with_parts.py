"""An answer in parts has at least one: neither an empty list nor JSON's null is an answer.

Before the rule it reads all answers, and stops at one that says nothing.
"""

from django.db import migrations, models
from django.db.models import Q, Value

JSON = models.JSONField()
NUMBER, TEXT, CONTENT = Q(value__isnull=False), ~Q(answer=""), Q(content__isnull=False)
EMPTY = (Value([], JSON), Value(None, JSON))
PARTS = CONTENT & ~Q(content=EMPTY[0]) & ~Q(content=EMPTY[1])
SAYS_ONE_THING = (
    (NUMBER & ~TEXT & ~CONTENT) | (~NUMBER & TEXT & ~CONTENT) | (~NUMBER & ~TEXT & PARTS)
)
CONSTRAINTS = {"finalanswer": "final_answer_says_one_thing", "rating": "rating_says_one_thing"}


class EmptyAnswer(Exception):
    """A stored answer that says nothing."""


def refuse_what_says_nothing(apps, schema_editor):
    for name in ("Rating", "FinalAnswer"):
        rows = apps.get_model("annotation", name).objects.using(schema_editor.connection.alias)
        empty = rows.filter(Q(content=EMPTY[0]) | Q(content=EMPTY[1])).order_by("pk").first()
        if empty is not None:
            raise EmptyAnswer(
                f"{name} {empty.pk} says nothing: its parts are {'null' if empty.content is None else 'an empty list'}. Nothing was changed. "
                "Correct or delete this answer with the version you had, then migrate again."
            )


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0024_one_thing_in_an_answer'),
    ]

    operations = [
        migrations.RunPython(refuse_what_says_nothing, migrations.RunPython.noop),
        *(
            operation
            for model, name in CONSTRAINTS.items()
            for operation in (
                migrations.RemoveConstraint(model_name=model, name=name),
                migrations.AddConstraint(
                    model_name=model,
                    constraint=models.CheckConstraint(condition=SAYS_ONE_THING, name=name),
                ),
            )
        ),
    ]
