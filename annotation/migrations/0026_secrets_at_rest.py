"""Links, webhook secrets and second factors are encrypted; tokens are digests and expire.

Both ways: going back decrypts what this installation's keys open, and makes new links and secrets for the rest.
Tokens that came of signing in by the API end when going back, for they cannot be had from their digests.
"""

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from annotation.domain.base.sealing import Purpose, Unreadable, digest_of, seal, unseal

# Of Django REST framework, which the product does not install any more. The empty table stays.
OLD_TOKENS = "authtoken_token"
OF_SECOND_FACTORS = ("secret", "seed")


def keys():
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def sealed(text, purpose):
    return seal(text, keys=keys(), purpose=purpose)


def unsealed(text, purpose, instead):
    try:
        return unseal(text, keys=keys(), purpose=purpose)
    except Unreadable:
        return instead


def protect(apps, schema_editor):
    _forget_what_is_replaced(schema_editor)
    for link in apps.get_model("annotation", "Invitation").objects.iterator():
        link.sealed_token, link.token_digest = sealed(link.token, Purpose.LINK), digest_of(link.token)
        link.token = None
        link.save(update_fields=["sealed_token", "token_digest", "token"])
    for webhook in apps.get_model("annotation", "Webhook").objects.iterator():
        webhook.sealed_secret, webhook.secret = sealed(webhook.secret, Purpose.WEBHOOK), None
        webhook.save(update_fields=["sealed_secret", "secret"])
    _change_second_factors(apps, lambda text: sealed(text, Purpose.SECOND_FACTOR))
    expires = timezone.now() + timedelta(days=settings.TOKEN_DAYS)
    tokens = apps.get_model("annotation", "ApiToken").objects
    tokens.update(expires_at=expires)
    for key, user in _take_old_tokens(schema_editor):
        tokens.create(
            user_id=user,
            name="Sign-in by the API",
            digest=digest_of(key),
            prefix=key[:6],
            scopes=["read", "write"],
            signs_in=True,
            expires_at=expires,
        )
    # Tables are changed next, in the same transaction, which no check may wait for then.
    schema_editor.connection.check_constraints()


def expose(apps, schema_editor):
    for link in apps.get_model("annotation", "Invitation").objects.iterator():
        link.token = unsealed(link.sealed_token, Purpose.LINK, secrets.token_urlsafe(24))
        link.save(update_fields=["token"])
    for webhook in apps.get_model("annotation", "Webhook").objects.iterator():
        webhook.secret = unsealed(webhook.sealed_secret, Purpose.WEBHOOK, secrets.token_urlsafe(32))
        webhook.save(update_fields=["secret"])
    _change_second_factors(apps, lambda text: unsealed(text, Purpose.SECOND_FACTOR, text))
    apps.get_model("annotation", "ApiToken").objects.filter(signs_in=True).delete()
    schema_editor.connection.check_constraints()


def _forget_what_is_replaced(schema_editor):
    """SQLite otherwise keeps what was deleted in the unused pages of its file."""
    if schema_editor.connection.vendor == "sqlite":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def _change_second_factors(apps, change):
    for factor in apps.get_model("mfa", "Authenticator").objects.iterator():
        changed = {name: change(factor.data[name]) for name in OF_SECOND_FACTORS if name in factor.data}
        if "migrated_codes" in factor.data:
            changed["migrated_codes"] = [change(code) for code in factor.data["migrated_codes"]]
        if changed:
            factor.data = {**factor.data, **changed}
            factor.save(update_fields=["data"])


def _take_old_tokens(schema_editor):
    connection = schema_editor.connection
    if OLD_TOKENS not in connection.introspection.table_names():
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT key, user_id FROM {OLD_TOKENS}")
        found = cursor.fetchall()
        cursor.execute(f"DELETE FROM {OLD_TOKENS}")
    return found


class Migration(migrations.Migration):

    dependencies = [
        ("annotation", "0025_keep_personal_data"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [
        # Nullable first: so they are again, going back, until they are filled.
        migrations.AlterField("invitation", "token", models.CharField(max_length=64, null=True)),
        migrations.AlterField("webhook", "secret", models.CharField(max_length=64, null=True)),
        migrations.AddField(
            "invitation", "token_digest", models.CharField(max_length=64, null=True, editable=False)
        ),
        migrations.AddField(
            "invitation", "sealed_token", models.CharField(max_length=255, default="", editable=False)
        ),
        migrations.AddField(
            "webhook", "sealed_secret", models.CharField(max_length=255, default="", editable=False)
        ),
        migrations.AddField("apitoken", "prefix", models.CharField(max_length=12, blank=True, default="")),
        migrations.AddField("apitoken", "signs_in", models.BooleanField(default=False)),
        migrations.AddField("apitoken", "expires_at", models.DateTimeField(null=True)),
        migrations.RunPython(protect, expose),
        migrations.RemoveField("invitation", "token"),
        migrations.RemoveField("webhook", "secret"),
        migrations.AlterField(
            "invitation", "token_digest", models.CharField(max_length=64, unique=True, editable=False)
        ),
        migrations.AlterField("invitation", "sealed_token", models.CharField(max_length=255, editable=False)),
        migrations.AlterField("webhook", "sealed_secret", models.CharField(max_length=255, editable=False)),
        migrations.AlterField("apitoken", "prefix", models.CharField(max_length=12, blank=True)),
        migrations.AlterField("apitoken", "expires_at", models.DateTimeField()),
    ]
