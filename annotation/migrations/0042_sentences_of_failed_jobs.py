"""Why a job failed, so that each reader sees it in their own language."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0041_ratings_per_item_of_drafts"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="error_sentence",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
