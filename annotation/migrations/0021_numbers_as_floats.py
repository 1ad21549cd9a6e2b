"""Values and ends of scales become floats, so that an answer may be 4.5.

Backwards it stops at a number that is not whole, since it would be rounded. On PostgreSQL it rewrites the
tables of ratings, criteria and final answers while nobody can use them.
"""

import annotation.models.base.number
from django.db import migrations
from django.db.migrations.exceptions import IrreversibleError
from django.db.models.functions import Floor


COLUMNS = {
    "Criterion": ("minimum", "maximum"),
    "Rating": ("value", "minimum", "maximum"),
    "FinalAnswer": ("value", "minimum", "maximum"),
}


def refuse_fractions(apps, schema_editor):
    """Stop before a number would be rounded."""
    for name, columns in COLUMNS.items():
        rows = apps.get_model("annotation", name).objects.using(schema_editor.connection.alias)
        for column in columns:
            found = rows.exclude(**{column: None}).exclude(**{column: Floor(column)}).order_by("pk").first()
            if found is not None:
                raise IrreversibleError(
                    f"{name} {found.pk} has {getattr(found, column)} as its {column}. The columns of before hold "
                    "whole numbers only: export and delete the studies with such numbers, then migrate back."
                )


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0020_question_kinds'),
    ]

    operations = [
        migrations.AlterField(
            model_name='criterion',
            name='maximum',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='criterion',
            name='minimum',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='finalanswer',
            name='maximum',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='finalanswer',
            name='minimum',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='finalanswer',
            name='value',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='rating',
            name='maximum',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='rating',
            name='minimum',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='rating',
            name='value',
            field=annotation.models.base.number.NumberField(blank=True, null=True),
        ),
        # Last, so that it is the first to run backwards.
        migrations.RunPython(migrations.RunPython.noop, refuse_fractions),
    ]
