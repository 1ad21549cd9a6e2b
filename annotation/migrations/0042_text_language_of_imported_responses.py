from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0041_ratings_per_item_of_drafts"),
    ]

    operations = [
        migrations.AddField(
            model_name="response",
            name="text_language",
            field=models.CharField(blank=True, max_length=12),
        ),
    ]
