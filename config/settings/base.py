"""Settings that are the same wherever Groundwork runs."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.contrib.messages import constants as messages
from kombu import Exchange, Queue

from annotation.domain.base.jobs import queues
from annotation.domain.base.limits import LONGEST_TOKEN_DAYS
from config.operations import error_reporting
from config.settings import env, institution, languages, mail, media_files
from config.settings.places import ROOT, WEB, data_folder

VAR_DIR = env.folder("GROUNDWORK_VAR", data_folder())

DEBUG = False
ALLOWED_HOSTS: list[str] = []

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "annotation.apps.AnnotationConfig",
    "scoring.apps.ScoringConfig",
    # Commands about the installation as a whole.
    "config",
]

MIDDLEWARE = [
    "config.operations.requests.with_id",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.operations.request_metrics.measured",
    "config.no_store.forbid_storing",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.interface_language.InterfaceLanguage",
    "django.middleware.common.CommonMiddleware",
    "config.body_limits.BodyLimits",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.refused_methods.in_words",
]

# Parts of pages, cached by each process separately; limits and locks are in `default`.
CACHES: dict[str, dict[str, Any]] = {
    "fragments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "fragments"}
}

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [WEB / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotation.views.base.display.display",
            ],
            "builtins": [
                "annotation.templatetags.components",
                "annotation.templatetags.rater_words",
                "scoring.templatetags.display_names",
            ],
        },
    }
]
# The tones of `{% notice %}`; a tag that is not named here is Django's own word: info, error.
MESSAGE_TAGS = {messages.SUCCESS: "ok", messages.WARNING: "warn"}

# Accounts ------------------------------------------------------------------
AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_ADAPTER = "annotation.accounts.account_adapter.AccountAdapter"
MFA_ADAPTER = "annotation.accounts.second_factors.SecondFactorAdapter"
ACCOUNT_FORMS = {
    "change_password": "annotation.accounts.account_forms.PasswordChange",
    "set_password": "annotation.accounts.account_forms.FirstPassword",
    "reset_password": "annotation.accounts.account_forms.LinkByMail",
    "reset_password_from_key": "annotation.accounts.account_forms.PasswordByLink",
    "reauthenticate": "annotation.accounts.account_forms.ConfirmByPassword",
}
MFA_FORMS = {
    "authenticate": "annotation.accounts.account_forms.SecondFactor",
    "reauthenticate": "annotation.accounts.account_forms.ConfirmByCode",
    "activate_totp": "annotation.accounts.account_forms.AppActivation",
}
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "annotation.accounts.link_tokens.LinkTokens"  # noqa: S105
# Passwords are set and reset by links that work once, for as long as this.
PASSWORD_RESET_TIMEOUT = int(timedelta(days=3).total_seconds())
# The OpenID Connect provider, or None; the tables for links to it are there either way.
INSTITUTION = institution.from_environment()
SOCIALACCOUNT_ADAPTER = "annotation.accounts.institution_adapter.InstitutionAdapter"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
SESSION_ENGINE = "annotation.accounts.session_store"
SESSION_COOKIE_AGE = int(timedelta(days=60).total_seconds())
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# How long a token for a program lives where its owner does not say.
TOKEN_DAYS = env.number("GROUNDWORK_TOKEN_DAYS", default=90, minimum=1, maximum=LONGEST_TOKEN_DAYS)
# Keys before the present one: what they signed and encrypted is still accepted.
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
CSRF_FAILURE_VIEW = "annotation.views.base.errors.csrf_failure"

# Mail ------------------------------------------------------------------------
_mail = mail.from_environment()
SENDS_MAIL = bool(_mail.host)
EMAIL_BACKEND = (
    "config.mail_backend.Backend" if SENDS_MAIL else "django.core.mail.backends.console.EmailBackend"
)
EMAIL_HOST, EMAIL_PORT, EMAIL_TIMEOUT = _mail.host, _mail.port, _mail.timeout
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.tls == mail.STARTTLS, _mail.tls == mail.TLS
DEFAULT_FROM_EMAIL = _mail.sender

# Language and time -----------------------------------------------------------
LANGUAGE_CODE = "en"
# The interface only. In which language the texts of a study are is a setting of the study.
LOCALE_PATHS = [ROOT / "config" / "locale"]
LANGUAGES = languages.offered(LOCALE_PATHS[0])
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
# Dates in English as pages write them: 22 November 2026.
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = env.text("GROUNDWORK_TIME_ZONE", "UTC")
USE_TZ = True

# Files ------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
FILE_UPLOAD_PERMISSIONS = 0o600
STATICFILES_DIRS = [WEB / "static", ("help", WEB / "docs" / "images"), ("help", WEB / "docs" / "clients")]
MEDIA_ROOT = VAR_DIR / "media"
STORAGES = {
    "media": media_files.storage(),
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_storage.CollectedFiles"},
}
MEDIA_MOST_BYTES, MEDIA_MOST_PIXELS = media_files.MOST_BYTES, media_files.MOST_PIXELS
MEDIA_STUDY_BYTES, MEDIA_HOSTS = media_files.MOST_BYTES_OF_STUDY, media_files.HOSTS
# Knowledge bases, each a file.
KNOWLEDGE_FOLDER = VAR_DIR / "knowledge"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# All texts of a study in another language are saved as one form.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
_upload_megabytes = env.number("GROUNDWORK_UPLOAD_MAX_MB", default=200, minimum=1)
UPLOAD_MAX_BYTES = _upload_megabytes * 1024 * 1024
# Files of one account that wait for a worker or are being read: how many, and how large together.
UPLOADS_WAITING = env.number("GROUNDWORK_UPLOADS_WAITING", default=10, minimum=1)
UPLOADS_WAITING_BYTES = (
    env.number("GROUNDWORK_UPLOADS_WAITING_MB", default=3 * _upload_megabytes, minimum=_upload_megabytes)
    * 1024
    * 1024
)

# What reading one sent file may cost the process that reads it.
UPLOAD_SECONDS = env.number("GROUNDWORK_UPLOAD_SECONDS", default=60, minimum=1)
UPLOAD_MEMORY_MB = env.number("GROUNDWORK_UPLOAD_MEMORY_MB", default=1024, minimum=128)
UPLOAD_CELLS = env.number("GROUNDWORK_UPLOAD_CELLS", default=5_000_000, minimum=1000)

# Browser security --------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:", *(f"https://{host}" for host in MEDIA_HOSTS)],
        "media-src": ["'self'", *(f"https://{host}" for host in MEDIA_HOSTS)],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        # The old and the new way to say where reports go; `config.operations.requests` names `csp`.
        "report-uri": "/csp-report/",
        "report-to": "csp",
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Whose frames may show the entry page, and where finished work may be posted. The sandbox is asked for.
MTURK_ORIGINS = env.words("GROUNDWORK_MTURK_ORIGINS", "https://www.mturk.com,https://worker.mturk.com")

# Proxies in front, each of which appends to X-Forwarded-For: who signs in is limited by address.
PROXIES = env.number("GROUNDWORK_PROXIES", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES

# New raters that one link may bring in ten minutes: from one network, such as a campus, and in all.
JOINS_BY_NETWORK = env.number("GROUNDWORK_JOINS_BY_NETWORK", default=60, minimum=1)
JOINS_BY_LINK = env.number("GROUNDWORK_JOINS_BY_LINK", default=600, minimum=1)

# Visits of shared results from one network in ten minutes.
SHARE_VISITS_BY_NETWORK = env.number("GROUNDWORK_SHARE_VISITS", default=120, minimum=1)

API_RATE = f"{env.number('GROUNDWORK_API_RATE', default=600, minimum=1)}/min"

# API ------------------------------------------------------------------------------
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.api.people.token_authentication.ScopedTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.base.parsers.BoundedJSONParser"],
    "URL_FORMAT_OVERRIDE": None,
    "NUM_PROXIES": PROXIES,
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PAGINATION_CLASS": "annotation.api.base.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "annotation.api.base.refusals.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": ["annotation.api.base.throttles.CallerThrottle"],
    "DEFAULT_THROTTLE_RATES": {"login": "10/min", "caller": API_RATE},
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Groundwork API",
    "DESCRIPTION": "Studies, items, ratings, reports and exports of human ratings of figurative language.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "StudyState": "annotation.api.base.enumerations.STUDY_STATES",
        "RaterState": "annotation.api.base.enumerations.RATER_STATES",
        "JobState": "annotation.api.base.enumerations.JOB_STATES",
        "MessageKind": "annotation.api.base.enumerations.MESSAGE_KINDS",
        "DeliveryState": "annotation.api.base.enumerations.DELIVERY_STATES",
        "Role": "annotation.api.base.enumerations.ROLES",
        "MemberRole": "annotation.api.base.enumerations.MEMBER_ROLES",
        "CriterionKind": "annotation.api.base.enumerations.CRITERION_KINDS",
        "DemographicKind": "annotation.api.base.enumerations.DEMOGRAPHIC_KINDS",
        "CaseState": "annotation.api.base.enumerations.CASE_STATES",
        "DisputeRule": "annotation.api.base.enumerations.DISPUTE_RULES",
        "PaymentKind": "annotation.api.base.enumerations.PAYMENT_KINDS",
        "PaymentState": "annotation.api.base.enumerations.PAYMENT_STATES",
        "WebhookEvent": "annotation.api.studies.webhooks.EVENTS",
        "CrowdDecision": "annotation.api.base.enumerations.CROWD_DECISIONS",
        "CrowdDecisionState": "annotation.api.base.enumerations.CROWD_DECISION_STATES",
        "CrowdReason": "annotation.api.base.enumerations.CROWD_REASONS",
        "JudgeModelKind": "scoring.services.judges.running.settings.KINDS",
        "NoticeEvent": "annotation.api.base.enumerations.NOTICE_EVENTS",
    },
    "PATH_CONVERTER_OVERRIDES": {"crowd": {"type": "string", "enum": ["prolific", "mturk"]}},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "annotation.api.base.operations.add_rate_limit",
    ],
    # Above 100 addresses, sections that are open from the start lose operations.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None, "docExpansion": "none"},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# Whether webhooks may be sent into private networks, such as that of this machine.
WEBHOOKS_PRIVATE = env.flag("GROUNDWORK_WEBHOOKS_PRIVATE", default=False)

# Where the interface of Prolific is; another address of it is a server for tests.
PROLIFIC_ADDRESS = env.text("GROUNDWORK_PROLIFIC_ADDRESS", default="https://api.prolific.com")
# Where the interface of Mechanical Turk is: its production, or its sandbox, which pays nothing.
MTURK_ADDRESS = env.text(
    "GROUNDWORK_MTURK_ADDRESS", default="https://mturk-requester.us-east-1.amazonaws.com"
)

# The chat endpoint of automatic judges, up to `/chat/completions`; without it there is none. The operator
# names it, so it may be in the private network of this machine where addresses of webhooks may not.
JUDGE_ADDRESS = env.text("GROUNDWORK_JUDGE_ADDRESS", "")
JUDGE_KEY = env.token("GROUNDWORK_JUDGE_KEY")
JUDGE_PRIVATE = env.flag("GROUNDWORK_JUDGE_PRIVATE", default=False)

# The data hub to which owners upload releases; without a token nothing is uploaded. Another address of it is
# a server for tests.
HUB_TOKEN = env.token("GROUNDWORK_HUB_TOKEN")
HUB_ADDRESS = env.text("GROUNDWORK_HUB_ADDRESS", default="https://huggingface.co")

# Jobs ---------------------------------------------------------------------------
# A message is acknowledged when its job has ended; RabbitMQ waits only half an hour without this setting.
LONG_WORK = {"x-consumer-timeout": int(timedelta(days=30).total_seconds() * 1000)}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# How long the slot of a killed process stays taken: nothing that it could still say is waited for.
CELERY_WORKER_LOST_WAIT = 1.0
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = queues.BEFORE
CELERY_TASK_QUEUES = [
    Queue(queues.BEFORE, Exchange(queues.BEFORE), routing_key=queues.BEFORE),
    *(
        Queue(name, Exchange(name), routing_key=name, queue_arguments=LONG_WORK)
        for name in (queue.broker_name for queue in queues.Queue)
    ),
]
CELERY_TIMEZONE = "UTC"
# Folders of public data sets, one a study, that the replications read.
DATASETS = env.folder("GROUNDWORK_DATASETS", VAR_DIR / "datasets")
PUBLISHED_DATA = env.folder("GROUNDWORK_PUBLISHED_DATA", VAR_DIR / "published")
# Checkpoints of models and what the models answered; only workers use them.
MODEL_FOLDER = env.folder("GROUNDWORK_MODELS", VAR_DIR / "models")
MODEL_CHECKPOINTS = env.assigned(
    "GROUNDWORK_MODEL_CHECKPOINTS", ("nli", "sentiment", "encoder", "language_model")
)
MODEL_ENCODER_LAYER = env.number("GROUNDWORK_MODEL_ENCODER_LAYER", default=0)
MODEL_DEVICE = env.text("GROUNDWORK_MODEL_DEVICE", "cpu")
MODEL_DTYPE = env.choice("GROUNDWORK_MODEL_DTYPE", ("fp32", "bf16"), "fp32")
MODEL_THREADS = env.number("GROUNDWORK_MODEL_THREADS", default=0)
MODEL_BATCH = env.number("GROUNDWORK_MODEL_BATCH", default=32, minimum=1)
JOB_LEASE_SECONDS = env.number("GROUNDWORK_JOB_LEASE_SECONDS", default=30, minimum=2)
JOB_SWEEP_SECONDS = env.number("GROUNDWORK_JOB_SWEEP_SECONDS", default=15, minimum=1)
JOB_MAX_ATTEMPTS = env.number("GROUNDWORK_JOB_MAX_ATTEMPTS", default=5, minimum=1)
# From this hour on, in the time zone of the pages, expired personal data are erased.
NIGHTLY_HOUR = env.number("GROUNDWORK_NIGHTLY_HOUR", default=3, maximum=23)
# For how many days the deletion of a study that has raters can be cancelled.
STUDY_DELETION_DAYS = env.number("GROUNDWORK_STUDY_DELETION_DAYS", default=30, maximum=3650)
# How long a run of scores may keep its worker while other studies wait.
JOB_TURN_SECONDS = 60 * env.number("GROUNDWORK_JOB_TURN_MINUTES", default=10, minimum=1)
JOB_TIME_FACTOR = env.number("GROUNDWORK_JOB_TIME_FACTOR", default=1, minimum=1)

# Operations ---------------------------------------------------------------------
# How often a worker says that it is there, and after how long without a word something is wrong.
WORKER_BEAT_SECONDS = env.number("GROUNDWORK_WORKER_BEAT_SECONDS", default=10, minimum=1)
WORKER_SILENT_SECONDS = env.number(
    "GROUNDWORK_WORKER_SILENT_SECONDS", default=40, minimum=2 * WORKER_BEAT_SECONDS + 1
)
SERVED_SINCE = env.number(env.SERVED_SINCE, default=0)
# Without a token there is no page of measurements.
METRICS_TOKEN = env.secret("GROUNDWORK_METRICS_TOKEN") if env.text("GROUNDWORK_METRICS_TOKEN", "") else ""
# For how long what `/health/ready` found is its answer.
READINESS_SECONDS = 3
DISK_FLOOR_BYTES = env.number("GROUNDWORK_DISK_FLOOR_MB", default=500) * 1024 * 1024

LOG_FORMAT = env.choice("GROUNDWORK_LOG_FORMAT", ("line", "json"), "line")
logging.captureWarnings(capture=LOG_FORMAT == "json")
LOGGING_CONFIG = "config.redaction.configure"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "config.operations.json_log.JsonFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    # The file-system broker has no host, and says so at every start.
    "loggers": {"kombu.connection": {"level": "ERROR"}, "httpx2": {"level": "WARNING"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}

SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
        "PRAGMA mmap_size=134217728; PRAGMA cache_size=-20000; PRAGMA temp_store=MEMORY;"
    ),
}

error_reporting.start(env.text("SENTRY_DSN", ""), environment=env.text("SENTRY_ENVIRONMENT", "production"))
