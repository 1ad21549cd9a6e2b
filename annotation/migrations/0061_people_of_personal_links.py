from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0060_pair_rounds_store_changes'),
    ]

    operations = [
        migrations.AddField(
            model_name='invitation',
            name='person_hash',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
    ]
