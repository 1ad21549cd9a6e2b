"""An answer is exactly one of a number, a text and a list; the order of options is a list."""

from django.db import migrations, models
from django.db.models import Q

NUMBER, TEXT, CONTENT = Q(value__isnull=False), ~Q(answer=""), Q(content__isnull=False)
SAYS_ONE_THING = (
    (NUMBER & ~TEXT & ~CONTENT) | (~NUMBER & TEXT & ~CONTENT) | (~NUMBER & ~TEXT & CONTENT)
)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0023_structured_answers'),
    ]

    operations = [
        migrations.RemoveField(model_name='rating', name='shown'),
        migrations.RenameField(model_name='rating', old_name='shown_values', new_name='shown'),
        migrations.AddConstraint(
            model_name='finalanswer',
            constraint=models.CheckConstraint(condition=SAYS_ONE_THING, name='final_answer_says_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.CheckConstraint(condition=SAYS_ONE_THING, name='rating_says_one_thing'),
        ),
    ]
