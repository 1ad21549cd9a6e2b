"""Sessions in the database as in Django, found by a prepared query."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import CharField, DateTimeField
from django.utils import timezone

from annotation.selectors.base.prepared_queries import Compiled


class SessionStore(db.SessionStore):
    """The `SESSION_ENGINE`; every request of a rater looks for its session first."""

    def _get_session_from_db(self) -> Session | None:
        found = _unexpired.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        return found


_unexpired = Compiled(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now),
    key=CharField(),
    now=DateTimeField(),
)
