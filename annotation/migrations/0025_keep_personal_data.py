"""How long a study keeps personal data; which platform ids were erased already."""

from django.db import migrations, models
from django.db.models import F


def mark_erased(apps, schema_editor):
    """Who withdrew from a study that erases has left a keyed hash only."""
    apps.get_model("annotation", "PlatformIdentity").objects.filter(
        rater__state="withdrawn", study__on_withdrawal="erase"
    ).update(erased_at=F("created_at"))


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0024_one_thing_in_an_answer'),
    ]

    operations = [
        migrations.AddField(
            model_name='platformidentity',
            name='erased_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='keep_about_days',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='keep_activity_days',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='keep_ids_days',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(mark_erased, migrations.RunPython.noop, elidable=True),
    ]
