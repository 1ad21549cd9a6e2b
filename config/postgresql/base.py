"""The connection: what is asked for every page is parsed and planned once, not at each page.

Django writes the values into each statement, so that PostgreSQL meets a new one every time; of the time
that it takes to save an answer, two fifths went into reading and planning the same twenty statements.
"""

from __future__ import annotations

from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper


class DatabaseWrapper(base.DatabaseWrapper):
    """Adds a cursor that sends values separately from their statement."""

    def prepared_cursor(self) -> CursorWrapper:
        """A cursor for statements whose text never changes: a repeated one stays prepared.

        How often it must be repeated is the setting `prepare_threshold`, None for never. Where queries are
        logged it is an ordinary cursor: the text of a prepared statement is not with it any more.
        """
        if self.queries_logged:
            return self.cursor()
        with self.wrap_database_errors:
            self.ensure_connection()
            return self._prepare_cursor(base.ServerBindingCursor(self.connection))  # type: ignore[attr-defined,call-arg,no-any-return]
