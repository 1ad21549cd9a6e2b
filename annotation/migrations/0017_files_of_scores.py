from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("annotation", "0016_adjudication"),
    ]

    operations = [
        migrations.AddField(
            model_name="importfile",
            name="what",
            field=models.CharField(
                choices=[("items", "items"), ("scores", "scores")], default="items", max_length=10
            ),
        ),
    ]
