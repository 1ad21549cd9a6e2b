"""Several processes or machines: PostgreSQL, Redis, HTTPS; every setting from the environment."""

from __future__ import annotations

from config.settings import broker, env
from config.settings.base import *
from config.settings.database import database
from config.settings.private import private_folder

private_folder(VAR_DIR)
SECRET_KEY = env.secret("SECRET_KEY")
ALLOWED_HOSTS = env.words("GROUNDWORK_HOSTS")
if not ALLOWED_HOSTS:
    raise env.SettingError("GROUNDWORK_HOSTS is not set: it accepts the host names served, joined by commas.")
CSRF_TRUSTED_ORIGINS = env.words("GROUNDWORK_ORIGINS", ",".join(f"https://{host}" for host in ALLOWED_HOSTS))

env.text("DATABASE_URL")
DATABASES = {"default": database(default_file=VAR_DIR / "groundwork.sqlite3", sqlite_options=SQLITE_OPTIONS)}
CELERY_BROKER_URL = env.text("CELERY_BROKER_URL")
if CELERY_BROKER_URL.startswith(broker.REDIS_SCHEMES):
    CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
CACHES |= {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": broker.cache_url(CELERY_BROKER_URL),
    }
}

PROXIES = env.number("GROUNDWORK_PROXIES", default=1)
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
REST_FRAMEWORK = {**REST_FRAMEWORK, "NUM_PROXIES": PROXIES}

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True
SECURE_SSL_REDIRECT = env.flag("GROUNDWORK_HTTPS_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = env.number("GROUNDWORK_HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("GROUNDWORK_HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.flag("GROUNDWORK_HSTS_PRELOAD", default=False)
# Both speak for other hosts than ours, so they are asked for: docs/adr/0013-hsts-for-this-host-alone.md.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
