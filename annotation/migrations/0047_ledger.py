import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# By table, the columns that the database refuses to change. The account of a deleted member, and the notes about
# a rater whose data are erased, are emptied.
WRITTEN_ONCE = {
    "annotation_paymentlist": "id, study_id, number, made_at",
    "annotation_payment": "id, study_id, rater_id, payment_list_id, kind, number, amount, currency, key",
    "annotation_paymentbatch": "id, study_id, payment_list_id, job, key, payer, stored_at",
    "annotation_paymententry": "id, payment_id, number, previous, state, attempt, reference, batch_id, at",
    "annotation_earnedbefore": "id, rater_id, base, top_up, currency, at",
}
SENTENCE = "Rows of the ledger cannot be changed. Add an entry instead."
FUNCTION = f"""
CREATE FUNCTION groundwork_ledger_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{SENTENCE}' USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def add_triggers(_, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    if postgresql:
        schema_editor.execute(FUNCTION)
    act = (
        "FOR EACH ROW EXECUTE FUNCTION groundwork_ledger_is_written_once()"
        if postgresql
        else f"BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END"
    )
    for table, columns in WRITTEN_ONCE.items():
        on = f"BEFORE UPDATE OF {columns} ON {table}"
        schema_editor.execute(f"CREATE TRIGGER {table}_written_once {on} {act}")


def remove_triggers(_, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    for table in WRITTEN_ONCE:
        where = f" ON {table}" if postgresql else ""
        schema_editor.execute(f"DROP TRIGGER {table}_written_once{where}")
    if postgresql:
        schema_editor.execute("DROP FUNCTION groundwork_ledger_is_written_once()")


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0046_roles_assigned_cases_and_expiring_links"),
    ]

    operations = [
        migrations.CreateModel(
            name="EarnedBefore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("base", models.PositiveBigIntegerField()),
                ("top_up", models.PositiveBigIntegerField()),
                ("currency", models.CharField(max_length=3)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "earned before",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("base", "base"), ("top_up", "top_up"), ("bonus", "bonus")], max_length=8
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("amount", models.PositiveBigIntegerField()),
                ("currency", models.CharField(max_length=3)),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
            ],
            options={
                "ordering": ["rater__code", "kind", "number"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="PaymentBatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("job", models.PositiveBigIntegerField(unique=True)),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("payer", models.CharField(max_length=40)),
                ("stored_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "payment batches",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="PaymentEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "previous",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", ""),
                            ("due", "due"),
                            ("approved", "approved"),
                            ("sent", "sent"),
                            ("in_doubt", "in_doubt"),
                            ("confirmed", "confirmed"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        max_length=9,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("due", "due"),
                            ("approved", "approved"),
                            ("sent", "sent"),
                            ("in_doubt", "in_doubt"),
                            ("confirmed", "confirmed"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        max_length=9,
                    ),
                ),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("reference", models.CharField(blank=True, max_length=120)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "payment entries",
                "ordering": ["payment_id", "number"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="PaymentList",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["study_id", "-number"],
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="pay",
            name="budget",
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=14, null=True),
        ),
        migrations.AddConstraint(
            model_name="pay",
            constraint=models.CheckConstraint(
                condition=models.Q(("budget__isnull", True), ("budget__gte", 0), _connector="OR"),
                name="budget_is_no_debt",
            ),
        ),
        migrations.AddField(
            model_name="earnedbefore",
            name="rater",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="earned_before",
                to="annotation.rater",
            ),
        ),
        migrations.AddField(
            model_name="payment",
            name="rater",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="payments", to="annotation.rater"
            ),
        ),
        migrations.AddField(
            model_name="payment",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="payments", to="annotation.study"
            ),
        ),
        migrations.AddField(
            model_name="paymentbatch",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="payment_batches",
                to="annotation.study",
            ),
        ),
        migrations.AddField(
            model_name="paymententry",
            name="actor",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="paymententry",
            name="batch",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entries",
                to="annotation.paymentbatch",
            ),
        ),
        migrations.AddField(
            model_name="paymententry",
            name="payment",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="annotation.payment"
            ),
        ),
        migrations.AddField(
            model_name="paymentlist",
            name="made_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="paymentlist",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="payment_lists",
                to="annotation.study",
            ),
        ),
        migrations.AddField(
            model_name="paymentbatch",
            name="payment_list",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="batches",
                to="annotation.paymentlist",
            ),
        ),
        migrations.AddField(
            model_name="payment",
            name="payment_list",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="payments",
                to="annotation.paymentlist",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymententry",
            constraint=models.UniqueConstraint(
                fields=("payment", "number"), name="one_number_per_payment_entry"
            ),
        ),
        migrations.AddConstraint(
            model_name="paymententry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "sent")),
                fields=("payment", "attempt"),
                name="sent_once_per_attempt",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymententry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "confirmed")), fields=("payment",), name="confirmed_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="paymententry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("previous", ""), ("state__in", ["confirmed", "due"])),
                    models.Q(("previous", "due"), ("state__in", ["approved", "cancelled"])),
                    models.Q(("previous", "approved"), ("state__in", ["cancelled", "sent"])),
                    models.Q(("previous", "sent"), ("state__in", ["confirmed", "failed", "in_doubt"])),
                    models.Q(("previous", "in_doubt"), ("state__in", ["confirmed", "failed"])),
                    models.Q(("previous", "failed"), ("state__in", ["approved", "cancelled"])),
                    models.Q(("previous", "confirmed"), ("state__in", [])),
                    models.Q(("previous", "cancelled"), ("state__in", [])),
                    _connector="OR",
                ),
                name="payment_move_allowed",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymententry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("number", 1), ("previous", "")),
                    models.Q(("number__gt", 1), models.Q(("previous", ""), _negated=True)),
                    _connector="OR",
                ),
                name="first_payment_entry",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentlist",
            constraint=models.UniqueConstraint(
                fields=("study", "number"), name="one_number_per_payment_list"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount__gt", 0)), name="payment_is_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["base", "top_up", "bonus"])), name="payment_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.UniqueConstraint(
                fields=("rater", "kind", "number"), name="one_number_per_payment"
            ),
        ),
        migrations.RunPython(add_triggers, remove_triggers),
    ]
