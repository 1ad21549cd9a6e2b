from django.db import migrations, models
from django.db.models import F, OuterRef, Q, Subquery


def describe_versions(apps, schema_editor):
    """Every version so far is analysed separately, and has the title of its form."""
    Form, FormVersion = apps.get_model("annotation", "Form"), apps.get_model("annotation", "FormVersion")
    title = Form._base_manager.filter(pk=OuterRef("form")).values("title")
    FormVersion.objects.update(pool=F("number") * 1000, title=Subquery(title))


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0044_retired_items_and_deletion_of_studies"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="formversion",
            options={"ordering": ["form_id", "number", "correction"]},
        ),
        migrations.AddField(
            model_name="formversion",
            name="correction",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="formversion",
            name="pool",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="formversion",
            name="title",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.RunPython(describe_versions, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="formversion", name="one_number_per_version"),
        migrations.AddConstraint(
            model_name="formversion",
            constraint=models.UniqueConstraint(
                fields=["form", "number", "correction"], name="one_number_per_version"
            ),
        ),
        migrations.AddConstraint(
            model_name="formversion",
            constraint=models.CheckConstraint(
                condition=Q(pool__lte=F("number") * 1000 + F("correction")), name="pool_starts_earlier"
            ),
        ),
    ]
