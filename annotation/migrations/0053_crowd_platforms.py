from django.db import migrations, models
from django.db.models import F, Q

PLATFORMS = [('none', 'none'), ('prolific', 'prolific'), ('mturk', 'mturk'), ('other', 'other')]
MODELS = ('Connection', 'Study', 'Submission')


def name_platform(apps, _):
    """What there is so far is about Prolific; each study there was asked for when its row was made."""
    apps.get_model('annotation', 'CrowdStudy').objects.update(asked_at=F('made_at'))
    Job = apps.get_model('annotation', 'Job')
    Job.objects.filter(kind='prolific_submissions').exclude(state__in=['queued', 'running']).update(
        kind='crowd_submissions'
    )
    for job in Job.objects.filter(kind='prolific_submissions'):
        job.kind, job.params = 'crowd_submissions', {**job.params, 'platform': 'prolific'}
        job.save(update_fields=['kind', 'params'])


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0052_last_items'),
    ]

    operations = [
        *[migrations.RenameModel(f'Prolific{name}', f'Crowd{name}') for name in MODELS],
        migrations.AlterModelOptions('crowdstudy', {'verbose_name_plural': 'crowd studies'}),
        migrations.RemoveConstraint('crowdsubmission', 'one_row_per_submission'),
        migrations.RemoveConstraint('crowdsubmission', 'decision_has_a_state'),
        *[
            operation
            for name in MODELS
            for operation in (
                migrations.AddField(
                    f'crowd{name.lower()}',
                    'platform',
                    models.CharField(choices=PLATFORMS, default='prolific', max_length=10),
                    preserve_default=False,
                ),
                migrations.AlterField(
                    f'crowd{name.lower()}',
                    'study',
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE,
                        related_name={
                            'Connection': 'crowd_connections',
                            'Study': 'crowd_studies',
                            'Submission': 'crowd_submissions',
                        }[name],
                        to='annotation.study',
                    ),
                ),
            )
        ],
        migrations.AddField('crowdconnection', 'is_accepted', models.BooleanField(default=True)),
        migrations.AlterField('crowdconnection', 'account', models.CharField(blank=True, max_length=200)),
        migrations.AddField('crowdstudy', 'content', models.JSONField(default=dict)),
        migrations.AddField('crowdstudy', 'asked_at', models.DateTimeField(blank=True, null=True)),
        migrations.AlterField('crowdstudy', 'number', models.CharField(blank=True, max_length=64)),
        migrations.AlterField('crowdsubmission', 'number', models.CharField(max_length=64)),
        migrations.AlterField(
            'crowdsubmission',
            'rater',
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.deletion.CASCADE,
                related_name='crowd_submissions',
                to='annotation.rater',
            ),
        ),
        migrations.RenameField('crowdsubmission', 'return_reason', 'reason'),
        migrations.AlterField(
            'crowdsubmission',
            'decision',
            models.CharField(
                blank=True,
                choices=[
                    ('', ''),
                    ('approve', 'approve'),
                    ('return', 'return'),
                    ('screen_out', 'screen_out'),
                    ('reject', 'reject'),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            'crowdconnection',
            models.UniqueConstraint(
                fields=('study', 'platform', 'is_accepted'), name='one_account_per_platform'
            ),
        ),
        migrations.AddConstraint(
            'crowdstudy',
            models.UniqueConstraint(fields=('study', 'platform'), name='one_study_per_platform'),
        ),
        migrations.AddConstraint(
            'crowdsubmission',
            models.UniqueConstraint(fields=('study', 'platform', 'number'), name='one_row_per_submission'),
        ),
        migrations.AddConstraint(
            'crowdsubmission',
            models.CheckConstraint(
                condition=Q(
                    Q(('decision', ''), ('decision_state', '')),
                    Q(
                        ('decision__in', ['approve', 'return', 'screen_out', 'reject']),
                        (
                            'decision_state__in',
                            ['waiting', 'sending', 'sent', 'done', 'refused', 'in_doubt'],
                        ),
                    ),
                    _connector='OR',
                ),
                name='decision_has_a_state',
            ),
        ),
        migrations.RunPython(name_platform, migrations.RunPython.noop),
    ]
