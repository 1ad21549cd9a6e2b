"""Where messages to workers go, and where the shared counts of all web processes are stored."""

from __future__ import annotations

from config.settings import env

REDIS_SCHEMES = ("redis://", "rediss://", "unix://")


def cache_url(broker_url: str) -> str:
    """Read where limits on log-ins are counted: the broker itself, where it is a Redis.

    Parameters
    ----------
    broker_url : str
        `CELERY_BROKER_URL`.

    Raises
    ------
    SettingError
        `CACHE_URL` names something else, or is not set and the broker is no Redis.
    """
    url = env.text("CACHE_URL", broker_url if broker_url.startswith(REDIS_SCHEMES) else "")
    if not url:
        raise env.SettingError(
            "CACHE_URL is not set, and CELERY_BROKER_URL names no Redis: set CACHE_URL to one, "
            "such as redis://HOST:PORT/1."
        )
    if not url.startswith(REDIS_SCHEMES):
        raise env.SettingError(
            f"CACHE_URL begins with {url.partition('://')[0]!r}: it accepts a Redis, redis://HOST:PORT/1."
        )
    return url
