"""What the tests of rights send to each address."""

from __future__ import annotations

from typing import Any

# What is sent; nothing where a row is absent. Pages get forms, the API gets JSON: where it takes
# files only, that is 415 for those who may send one.
# The page key of a decision, whoever sends it.
KEY = "11111111-1111-4111-8111-111111111111"
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("api_case_decision", "POST"): {
        "page_key": KEY,
        "seen_revision": 0,
        "version": 1,
        "cannot_rate": "other",
    },
    ("api_case_comments", "POST"): {"text": "Is it literal?"},
    ("api_case_withdraw", "POST"): {"reason": "It is a caption."},
    ("api_cases", "POST"): {"items": ["L00"]},
    ("api_dispute_search", "POST"): {"rule": "all_differ", "form": "similes", "criterion": "quality"},
    ("tokens", "POST"): {"name": "a token", "scope": "read"},
    ("study-state", "POST"): {"state": "paused"},
    ("study-rater-exclude", "POST"): {"act": "exclude"},
    ("study-rater-keep", "POST"): {"act": "keep"},
    ("study-raters-decide", "POST"): {"act": "keep", "rater": ["R-002"]},
    ("api_last_items", "PUT"): {"last_seat_minutes": 5},
    ("api_messages", "POST"): {"kind": "thanks", "raters": ["R-001"]},
    ("study-rule", "POST"): {"act": "lift"},
    ("study-trial", "POST"): {"act": "approve"},
    ("study-calibration-round", "POST"): {"act": "release"},
    ("api_rate_background", "POST"): {"number": 1},
    ("study-members", "POST"): {"email": "nobody@example.org", "role": "researcher"},
    ("study-import-file", "POST"): {"act": "import"},
    ("study-form-place", "POST"): {"act": "up"},
    ("study-form-stage", "POST"): {"rule": "all", "people": "others"},
    ("study-definition", "POST"): {"title": "A copy"},
    ("api_definitions", "POST"): {
        "slug": "defined",
        "definition": {"format": "groundwork-study", "version": 1, "study": {"title": "Defined"}},
    },
    ("api_power", "POST"): {"question": "systems"},
    ("api_saved_views", "POST"): {"name": "Split", "query": "split=any"},
    ("api_rules", "POST"): {
        "name": "Few",
        "reason": "too few",
        "conditions": [{"kind": "too_few_ratings", "fewest": 2}],
    },
    ("api_webhooks", "POST"): {"address": "https://example.org/told", "events": ["change_state"]},
    ("api_tokens", "POST"): {"name": "a token", "scopes": ["read"]},
    ("api_main_study", "POST"): {"slug": "main", "title": "The main study"},
    ("api_pilot", "PATCH"): {"refuse_pilot_raters": True},
    ("api_texts", "POST"): {"title": "Another title"},
    ("api_copy", "POST"): {"slug": "copied", "title": "A copy"},
    ("api_studies", "POST"): {"slug": "another", "title": "Another"},
    ("api_study", "PATCH"): {"title": "Another title"},
    ("api_item", "PATCH"): {"system": "elsewhere"},
    ("api_item_changes", "POST"): {"act": "retire", "items": ["L00"]},
    ("api_notifications", "PUT"): {"events": ["job_failed"]},
    ("api_reserved_slots", "POST"): {"raters": ["R-002"]},
    ("api_state", "POST"): {"state": "paused"},
    ("study-score-runs", "POST"): {"profile": "none", "base": "demo", "extractor": "built-in"},
    ("study-score-act", "POST"): {"act": "pause"},
    ("api_score_runs", "POST"): {"profile": "none"},
    ("study-consent", "POST"): {"text": "Another text."},
    ("api_consent", "POST"): {"text": "Another text."},
    ("api_rate_consent", "POST"): {"agree": True, "consent_number": 1},
    ("api_rate_about_you", "POST"): {"answers": {}},
    ("api_join", "POST"): {"agree": True},
    ("api_invitations", "POST"): {"label": "a link"},
    ("study-prolific", "POST"): {"act": "connect", "token": "short"},
    ("study-mturk", "POST"): {"act": "connect", "key": "AKIA", "token": "a b"},
    ("study-payment-list", "POST"): {"act": "approve", "total": "1"},
    ("study-payment-file", "POST"): {"layout": "table"},
    ("study-payment", "POST"): {"seen": "due", "attempt": "1", "to": "cancelled"},
    ("api_budget", "PUT"): {"budget": "1"},
}
