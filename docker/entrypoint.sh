#!/bin/sh
# What a container does: web, worker-models, worker-others, worker (for all queues), prepare, or any `manage.py` command.
set -eu

case "${1:-web}" in
web)
    exec python -m gunicorn config.wsgi:application \
        --bind 0.0.0.0:8000 --preload --no-control-socket \
        --worker-class gthread --workers "${WEB_WORKERS:-2}" --threads "${WEB_THREADS:-4}" \
        --worker-tmp-dir /dev/shm --logger-class annotation.serving.access_log.AccessLog --access-logfile - --forwarded-allow-ips "${FORWARDED_ALLOW_IPS:-127.0.0.1}"
    ;;
worker)
    exec python -m celery -A config worker --loglevel INFO \
        --pool prefork --concurrency "${WORKER_CONCURRENCY:-1}"
    ;;
worker-models)
    exec python -m celery -A config worker --loglevel INFO \
        --pool prefork --concurrency "${WORKER_CONCURRENCY:-1}" --queues groundwork.models
    ;;
worker-others)
    exec python -m celery -A config worker --loglevel INFO \
        --pool prefork --concurrency "${WORKER_CONCURRENCY:-2}" \
        --queues groundwork,groundwork.short,groundwork.reports,groundwork.messages
    ;;
prepare)
    # Files of earlier versions stay: pages that were sent before name them.
    python manage.py collectstatic --no-input
    exec python manage.py migrate --no-input
    ;;
check-web)
    exec python - <<'PYTHON'
import http.client
import os

host = os.environ["GROUNDWORK_HOSTS"].split(",")[0]
connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=4)
connection.request("GET", "/health/live", headers={"Host": host, "X-Forwarded-Proto": "https"})
raise SystemExit(connection.getresponse().status != 200)
PYTHON
    ;;
check-worker)
    exec python -m celery -A config inspect ping --timeout 10 --destination "celery@$(hostname)"
    ;;
*)
    exec python manage.py "$@"
    ;;
esac
