"""Site administrators, who take the place of staff, and acts on the installation in the audit log."""

from django.db import migrations, models
import django.db.models.deletion


def forget_acts_on_the_installation(apps, schema_editor):
    """The table before knew acts in studies only."""
    apps.get_model('annotation', 'AuditEntry').objects.filter(study=None).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0027_turns_and_time_left_of_jobs'),
    ]

    operations = [
        migrations.RenameField(model_name='user', old_name='is_staff', new_name='is_site_administrator'),
        migrations.AddField(
            model_name='user',
            name='deleted_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='user',
            name='sessions_ended',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='study',
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name='audit',
                to='annotation.study',
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_acts_on_the_installation),
    ]
