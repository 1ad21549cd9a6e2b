from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0040_checks_in_further_languages"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="ratings_per_item",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
