"""Columns for answers with parts, and for the order of options as a list; 0023 fills them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0021_numbers_as_floats'),
    ]

    operations = [
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
