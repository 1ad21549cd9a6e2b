import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0047_ledger"),
    ]

    operations = [
        migrations.AddField(
            model_name="formversion",
            name="instructions",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="pilot",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="main_studies",
                to="annotation.study",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="refuse_pilot_raters",
            field=models.BooleanField(default=False),
        ),
    ]
