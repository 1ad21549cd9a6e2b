from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0055_pilot_matches_item_times_and_second_opinions"),
    ]

    operations = [
        migrations.AddField(
            model_name="response",
            name="first_values",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
