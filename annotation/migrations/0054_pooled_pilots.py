from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0053_crowd_platforms'),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='pilot_pooled_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='pilot_pooled_because',
            field=models.TextField(blank=True),
        ),
    ]
