from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, OuterRef, Subquery


def take_from_pages(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """A page that was opened again after an answer has lost when that answer's page was shown."""
    pages = apps.get_model("annotation", "Assignment").objects.filter(pk=OuterRef("assignment"))
    responses = apps.get_model("annotation", "Response").objects.order_by()
    responses.filter(assignment__opened_at__lte=F("submitted_at")).update(
        shown_at=Subquery(pages.values("opened_at")[:1])
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0037_more_texts_in_further_languages"),
    ]

    operations = [
        migrations.AddField(
            model_name="response",
            name="shown_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(take_from_pages, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="response",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("shown_at", None),
                    ("submitted_at", None),
                    ("shown_at__lte", models.F("submitted_at")),
                    _connector="OR",
                ),
                name="shown_before_submitted",
            ),
        ),
    ]
