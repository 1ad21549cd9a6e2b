import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0048_open_texts_and_pilots'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='announced_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='target_reached_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='RaterFlag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('indicators', models.JSONField(default=list)),
                ('flagged_at', models.DateTimeField()),
                ('rater', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='flag', to='annotation.rater')),
            ],
        ),
        migrations.CreateModel(
            name='NoticeChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.CharField(choices=[('target_reached', 'target_reached'), ('rater_flagged', 'rater_flagged'), ('problem_reported', 'problem_reported'), ('job_failed', 'job_failed')], max_length=16)),
                ('language', models.CharField(max_length=12)),
                ('site', models.CharField(max_length=300)),
                ('seen_until', models.DateTimeField()),
                ('mailed_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=60)),
                ('membership', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='annotation.membership')),
            ],
            options={
                'ordering': ['membership_id', 'event'],
                'constraints': [models.UniqueConstraint(fields=('membership', 'event'), name='one_choice_per_event')],
            },
        ),
    ]
