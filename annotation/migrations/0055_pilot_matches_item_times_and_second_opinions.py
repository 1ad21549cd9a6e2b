"""Second opinions, raters of a pilot who rate in its main study, and the time at which an item was added.

Backwards it stops at a second opinion, which would become a decision that a later one replaced.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.exceptions import IrreversibleError


def refuse_second_opinions(apps, schema_editor):
    """Stop before it is forgotten which decisions are second opinions."""
    decisions = apps.get_model("annotation", "Verdict").objects.using(schema_editor.connection.alias)
    found = decisions.filter(second=True).order_by("pk").first()
    if found is not None:
        raise IrreversibleError(
            f"Decision {found.pk} on case {found.case_id} is a second opinion, which the version before did not "
            "know: export and delete the studies with second opinions, then migrate back."
        )


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0054_pooled_pilots'),
    ]

    operations = [
        migrations.CreateModel(
            name='PilotMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ],
            options={
                'verbose_name_plural': 'pilot matches',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='case',
            name='second',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='second_cases', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='item',
            name='added_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='verdict',
            name='second',
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name='verdict',
            constraint=models.CheckConstraint(condition=models.Q(('current', True), ('second', True), _negated=True), name='second_opinion_is_not_current'),
        ),
        migrations.AddField(
            model_name='pilotmatch',
            name='main_rater',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches_in_pilot', to='annotation.rater'),
        ),
        migrations.AddField(
            model_name='pilotmatch',
            name='rater',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches_in_main', to='annotation.rater'),
        ),
        migrations.AddConstraint(
            model_name='pilotmatch',
            constraint=models.UniqueConstraint(fields=('rater', 'main_rater'), name='one_match_per_pair_of_raters'),
        ),
        migrations.RunPython(migrations.RunPython.noop, refuse_second_opinions, elidable=True),
    ]
