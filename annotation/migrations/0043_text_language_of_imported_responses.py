from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0042_sentences_of_failed_jobs"),
    ]

    operations = [
        migrations.AddField(
            model_name="response",
            name="text_language",
            field=models.CharField(blank=True, max_length=12),
        ),
    ]
