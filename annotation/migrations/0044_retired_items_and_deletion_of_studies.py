from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0043_text_language_of_imported_responses"),
    ]

    operations = [
        migrations.AddField(
            model_name="item",
            name="retired_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="deleted_after",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="deletion_began_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
