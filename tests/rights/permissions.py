"""Every address × method × caller → status. A new address needs a row here, or the test fails.

The study is open. `rater` rates in it with a log-in, `stranger` has a log-in and no role,
`superuser` is a site administrator without a role.
"""

from __future__ import annotations

from tests.rights.api_permissions import OF_API

CALLERS = (
    "anonymous",
    "stranger",
    "rater",
    "viewer",
    "adjudicator",
    "researcher",
    "admin",
    "owner",
    "superuser",
)

# Addresses of django-allauth: sign-in, password, e-mail and second factor of one's own account.
OTHERS_GROUPS = ("account_", "mfa_", "socialaccount_")

TABLE = """
address                  method anonymous stranger rater viewer adjudicator researcher admin owner superuser
health_live                 GET    200       200      200   200    200         200        200   200   200
health_ready                GET    503       503      503   503    503         503        503   503   503
metrics                     GET    404       404      404   404    404         404        404   404   404
csp-report                  POST   400       400      400   400    400         400        400   400   400
site-system                 GET    302       403      403   403    403         403        403   403   200
home                        GET    200       200      200   200    200         200        200   200   200
help                        GET    200       200      200   200    200         200        200   200   200
help-page                   GET    200       200      200   200    200         200        200   200   200
studies-menu                GET    302       200      200   200    200         200        200   200   200
set_language                POST   302       302      302   302    302         302        302   302   302
set-display                 POST   400       400      400   400    400         400        400   400   400
try-rating                  GET    404       404      404   404    404         404        404   404   404
try-rating                  POST   404       404      404   404    404         404        404   404   404
try-rating-item             GET    404       404      404   404    404         404        404   404   404
try-rating-item             POST   404       404      404   404    404         404        404   404   404
demo-result                 GET    404       404      404   404    404         404        404   404   404
join                        GET    200       200      302   302    302         302        302   302   200
join                        POST   302       302      302   409    409         409        409   409   302
join-declined               GET    200       200      200   200    200         200        200   200   200
rate                        GET    404       404      302   403    403         302        302   302   404
rate                        POST   404       404      400   403    403         400        400   400   404
rate-assignment             GET    404       404      200   403    403         404        404   404   404
rate-assignment             POST   404       404      400   403    403         404        404   404   404
stop-messages               GET    200       200      200   200    200         200        200   200   200
stop-messages               POST   302       302      302   302    302         302        302   302   302
rate-ahead                  POST   404       404      200   403    403         404        404   404   404
rate-problem                GET    404       404      200   403    403         404        404   404   404
rate-problem                POST   404       404      422   403    403         404        404   404   404
rate-media                  GET    404       404      200   403    403         404        404   404   404
rate-background             GET    404       404      200   403    403         200        200   200   404
rate-background             POST   404       404      302   403    403         302        302   302   404
rate-feedback               GET    404       404      302   403    403         404        404   404   404
rate-qualification          GET    404       404      200   403    403         302        302   302   404
rate-qualification          POST   404       404      302   403    403         302        302   302   404
rate-notes                  GET    404       404      200   403    403         404        404   404   404
rate-more                   POST   404       404      302   403    403         302        302   302   404
rate-practice               GET    404       404      302   403    403         302        302   302   404
rate-practice               POST   404       404      302   403    403         302        302   302   404
rate-guide                  GET    404       404      200   403    403         200        200   200   404
rate-pause                  GET    404       404      200   403    403         200        200   200   404
rate-link                   POST   404       404      302   403    403         404        404   404   404
rate-withdraw               GET    404       404      200   403    403         302        302   302   404
rate-withdraw               POST   404       404      302   403    403         302        302   302   404
rate-my-data                GET    404       404      200   403    403         404        404   404   404
rate-consent                GET    404       404      302   403    403         302        302   302   404
rate-consent                POST   404       404      302   403    403         302        302   302   404
rate-about-you              GET    404       404      302   403    403         302        302   302   404
rate-about-you              POST   404       404      302   403    403         302        302   302   404
site-accounts               GET    302       403      403   403    403         403        403   403   200
site-accounts               POST   302       403      403   403    403         403        403   403   422
site-account                GET    302       403      403   403    403         403        403   403   200
site-account                POST   302       403      403   403    403         403        403   403   302
site-account-delete         GET    302       403      403   403    403         403        403   403   200
site-account-delete         POST   302       403      403   403    403         403        403   403   422
site-log                    GET    302       403      403   403    403         403        403   403   200
upload-stop                 POST   302       404      404   404    404         404        404   404   404
upload-dismiss              POST   302       404      404   404    404         404        404   404   404
tokens                      GET    302       200      200   200    200         200        200   200   200
tokens                      POST   302       200      200   200    200         200        200   200   200
token-revoke                POST   302       404      404   404    404         404        404   302   404
study-mturk                 GET    302       404      403   403    403         403        200   200   404
study-mturk                 POST   302       404      403   403    403         403        422   422   404
study-mturk-submissions     GET    302       404      403   403    403         403        200   200   404
study-mturk-submissions     POST   302       404      403   403    403         403        302   302   404
study-prolific              GET    302       404      403   403    403         403        200   200   404
study-prolific              POST   302       404      403   403    403         403        422   422   404
study-prolific-submissions  GET    302       404      403   403    403         403        200   200   404
study-prolific-submissions  POST   302       404      403   403    403         403        302   302   404
study-webhooks              GET    302       404      403   403    403         403        200   200   404
study-webhooks              POST   302       404      403   403    403         403        422   422   404
study-webhook-remove        POST   302       404      403   403    403         403        302   302   404
study-webhook-secret        POST   302       404      403   403    403         403        200   200   404
studies                     GET    302       302      302   302    302         302        302   302   302
study-new                   GET    302       200      200   200    200         200        200   200   200
study-new                   POST   302       422      422   422    422         422        422   422   422
study-new-definition        GET    302       200      200   200    200         200        200   200   200
study-new-definition        POST   302       422      422   422    422         422        422   422   422
study-forms                 GET    302       404      403   403    403         200        200   200   404
study-form-new              GET    302       404      403   403    403         200        200   200   404
study-form-new              POST   302       404      403   403    403         200        200   200   404
study-form                  GET    302       404      403   403    403         200        200   200   404
study-form                  POST   302       404      403   403    403         403        200   200   404
study-form-versions         GET    302       404      403   403    403         200        200   200   404
study-form-versions         POST   302       404      403   403    403         403        404   404   404
study-form-stage            GET    302       404      403   403    403         200        200   200   404
study-form-stage            POST   302       404      403   403    403         409        409   409   404
study-form-pairs            GET    302       404      403   403    403         200        200   200   404
study-form-pairs            POST   302       404      403   403    403         409        409   409   404
study-form-place            POST   302       404      403   403    403         302        302   302   404
study-definition            GET    302       404      403   403    403         200        200   200   404
study-definition            POST   302       404      403   403    403         302        302   302   404
study-definition-download   GET    302       404      403   403    403         200        200   200   404
study                       GET    302       404      403   200    302         200        200   200   404
study-state                 POST   302       404      403   403    403         403        302   302   404
study-items                 GET    302       404      403   200    403         200        200   200   404
study-problem               POST   302       404      403   403    403         403        302   302   404
study-adjudication          GET    302       404      403   403    200         200        200   200   404
study-dispute-search        POST   302       404      403   403    403         403        302   302   404
study-adjudication-send     POST   302       404      403   403    403         403        302   302   404
study-adjudication-display  POST   302       404      403   403    403         403        302   302   404
study-case                  GET    302       404      403   403    200         200        200   200   404
study-case                  POST   302       404      403   403    400         403        400   400   404
study-case-media            GET    302       404      403   403    200         200        200   200   404
study-case-discuss          POST   302       404      403   403    302         302        302   302   404
study-case-withdraw         POST   302       404      403   403    403         403        302   302   404
study-case-second           POST   302       404      403   403    302         403        302   302   404
study-case-put-back         POST   302       404      403   403    403         403        302   302   404
study-disagreement-adjudicate POST   302       404      403   403    403         403        404   404   404
study-personal-data         GET    302       404      403   403    403         200        200   200   404
study-personal-data         POST   302       404      403   403    403         403        302   302   404
study-rater-data            GET    302       404      403   403    403         403        403   200   404
study-rater-file            GET    302       404      403   403    403         403        403   200   404
study-rater-erase           POST   302       404      403   403    403         403        403   302   404
study-item                  GET    302       404      403   200    403         200        200   200   404
study-raters                GET    302       404      403   200    403         200        200   200   404
study-review                GET    302       404      403   403    403         200        200   200   404
study-rater                 GET    302       404      403   403    403         200        200   200   404
study-release-slots         POST   302       404      403   403    403         403        302   302   404
study-raters-decide         POST   302       404      403   403    403         403        302   302   404
study-last-items            POST   302       404      403   403    403         403        302   302   404
study-messages              GET    302       404      403   403    403         403        200   200   404
study-message-new           GET    302       404      403   403    403         403        302   302   404
study-message-new           POST   302       404      403   403    403         403        302   302   404
study-message               GET    302       404      403   403    403         403        200   200   404
study-message               POST   302       404      403   403    403         403        302   302   404
study-message-listed        POST   302       404      403   403    403         403        200   200   404
study-rater-keep            POST   302       404      403   403    403         403        302   302   404
study-rater-exclude         POST   302       404      403   403    403         403        302   302   404
study-replace               POST   302       404      403   403    403         403        302   302   404
study-qualification         GET    302       404      403   403    403         200        200   200   404
study-qualification         POST   302       404      403   403    403         422        422   422   404
study-background-page       GET    302       404      403   403    403         200        200   200   404
study-background-page       POST   302       404      403   403    403         422        422   422   404
study-calibration-item      POST   302       404      403   403    403         302        302   302   404
study-trials                GET    302       404      403   403    403         200        200   200   404
study-trial                 POST   302       404      403   403    403         403        302   302   404
study-calibration-round     GET    302       404      403   403    403         200        200   200   404
study-calibration-round     POST   302       404      403   403    403         403        302   302   404
study-exports               GET    302       404      403   200    403         200        200   200   404
study-download              GET    302       404      403   200    403         200        200   200   404
study-bundle                POST   302       404      403   403    403         302        302   302   404
study-bundle-file           GET    302       404      403   403    403         200        200   200   404
study-sheet                 GET    302       404      403   403    403         200        200   200   404
study-sheet                 POST   302       404      403   403    403         302        302   302   404
study-sheet-json            GET    302       404      403   403    403         200        200   200   404
study-releases              GET    302       404      403   403    403         200        200   200   404
study-releases              POST   302       404      403   403    403         403        302   302   404
study-release-upload        POST   302       404      403   403    403         403        403   404   404
study-release-file          GET    302       404      403   403    403         403        404   404   404
study-paper                 GET    302       404      403   200    403         200        200   200   404
study-paper-table           GET    302       404      403   404    403         404        404   404   404
study-platform-ids          POST   302       404      403   403    403         403        200   200   404
study-pay                   GET    302       404      403   403    403         403        200   200   404
study-pay                   POST   302       404      403   403    403         403        422   422   404
study-bonus                 POST   302       404      403   403    403         403        302   302   404
study-budget                POST   302       404      403   403    403         403        404   404   404
study-payment-lists         POST   302       404      403   403    403         403        302   302   404
study-payment-list          GET    302       404      403   403    403         403        200   200   404
study-payment-list          POST   302       404      403   403    403         403        302   302   404
study-payment-file          POST   302       404      403   403    403         403        200   200   404
study-payment-results       GET    302       404      403   403    403         403        200   200   404
study-payment-results       POST   302       404      403   403    403         403        422   422   404
study-outside-payment       POST   302       404      403   403    403         403        302   302   404
study-payment               POST   302       404      403   403    403         403        302   302   404
study-open                  GET    302       404      403   403    403         200        200   200   404
study-open                  POST   302       404      403   403    403         403        302   302   404
study-settings              GET    302       404      403   403    403         200        200   200   404
study-links                 GET    302       404      403   403    403         403        200   200   404
study-links                 POST   302       404      403   403    403         403        302   302   404
study-revoke-link           POST   302       404      403   403    403         403        302   302   404
study-replace-link          POST   302       404      403   403    403         403        302   302   404
study-archive               POST   302       404      403   403    403         302        302   302   404
study-members               GET    302       404      403   403    403         200        200   200   404
study-members               POST   302       404      403   403    403         403        403   302   404
study-former-member         POST   302       404      403   403    403         403        403   302   404
study-notifications         GET    302       404      403   403    403         200        200   200   404
study-notifications         POST   302       404      403   403    403         302        302   302   404
study-texts                 GET    302       404      403   403    403         200        200   200   404
study-texts                 POST   302       404      403   403    403         403        422   422   404
study-pilot-raters          POST   302       404      403   403    403         403        302   302   404
study-pilot-pooling         POST   302       404      403   403    403         403        404   404   404
study-translations          GET    302       404      403   403    403         200        200   200   404
study-translations          POST   302       404      403   403    403         403        422   422   404
study-design                GET    302       404      403   403    403         200        200   200   404
study-raise-caps            POST   302       404      403   403    403         403        302   302   404
study-collect-more          GET    302       404      403   403    403         403        200   200   404
study-collect-more          POST   302       404      403   403    403         403        422   422   404
study-checks                GET    302       404      403   403    403         200        200   200   404
study-checks                POST   302       404      403   403    403         422        422   422   404
study-check                 GET    302       404      403   403    403         200        200   200   404
study-check                 POST   302       404      403   403    403         422        422   422   404
study-check-delete          POST   302       404      403   403    403         302        302   302   404
study-contact               POST   302       404      403   403    403         403        302   302   404
study-consent               GET    302       404      403   403    403         200        200   200   404
study-consent               POST   302       404      403   403    403         403        302   302   404
study-questions             GET    302       404      403   403    403         200        200   200   404
study-questions             POST   302       404      403   403    403         422        422   422   404
study-question-delete       POST   302       404      403   403    403         302        302   302   404
study-delete                GET    302       404      403   403    403         403        403   200   404
study-delete                POST   302       404      403   403    403         403        403   409   404
study-jobs                  GET    302       404      403   403    403         200        200   200   404
study-audit                 GET    302       404      403   403    403         200        200   200   404
study-audit-download        GET    302       404      403   403    403         200        200   200   404
study-contacts              POST   302       404      403   403    403         403        200   200   404
study-disagreement          GET    302       404      403   200    403         200        200   200   404
study-disagreement-download GET    302       404      403   404    403         404        404   404   404
study-disagreement-refresh  POST   302       404      403   403    403         302        302   302   404
study-view-save             POST   302       404      403   403    403         302        302   302   404
study-view-forget           POST   302       404      403   403    403         302        302   302   404
study-exclude-items         POST   302       404      403   403    403         403        302   302   404
study-exclude-response      POST   302       404      403   403    403         403        302   302   404
study-lift-exclusion        POST   302       404      403   403    403         403        302   302   404
study-raters-compared       GET    302       404      403   200    403         200        200   200   404
study-rules                 GET    302       404      403   403    403         200        200   200   404
study-rules                 POST   302       404      403   403    403         403        422   422   404
study-rule                  GET    302       404      403   403    403         200        200   200   404
study-rule                  POST   302       404      403   403    403         403        302   302   404
study-rule-download         GET    302       404      403   403    403         404        404   404   404
study-multiverse            GET    302       404      403   403    403         200        200   200   404
study-multiverse            POST   302       404      403   403    403         302        302   302   404
study-multiverse-download   GET    302       404      403   403    403         404        404   404   404
study-import                GET    302       404      403   403    403         200        200   200   404
study-import                POST   302       404      403   403    403         422        422   422   404
study-media                 GET    302       404      403   200    403         200        200   200   404
study-media                 POST   302       404      403   403    403         200        200   200   404
study-media-file            GET    302       404      403   200    403         200        200   200   404
study-change-media          POST   302       404      403   403    403         403        302   302   404
study-import-file           GET    302       404      403   403    403         200        200   200   404
study-import-file           POST   302       404      403   403    403         403        422   422   404
study-sets                  GET    302       404      403   403    403         200        200   200   404
study-sets                  POST   302       404      403   403    403         422        422   422   404
study-change-items          GET    302       404      403   403    403         403        200   200   404
study-change-items          POST   302       404      403   403    403         403        422   422   404
study-remove-items          POST   302       404      403   403    403         302        302   302   404
study-draft-item            POST   302       404      403   403    403         400        400   400   404
study-describe-item         GET    302       404      403   403    403         403        200   200   404
study-describe-item         POST   302       404      403   403    403         403        302   302   404
study-import-problems       GET    302       404      403   403    403         200        200   200   404
study-reliability           GET    302       404      403   200    403         200        200   200   404
study-reliability           POST   302       404      403   403    403         302        302   302   404
study-likert-means          GET    302       404      403   200    403         200        200   200   404
study-likert-means-download GET    302       404      403   404    403         404        404   404   404
study-report-download       GET    302       404      403   200    403         200        200   200   404
replications                GET    302       200      200   200    200         200        200   200   200
replication                 GET    302       200      200   200    200         200        200   200   200
replication-start           POST   302       403      403   403    403         302        302   302   302
replication-download        GET    302       404      404   404    404         404        404   404   404
study-metrics               GET    302       404      403   200    403         200        200   200   404
study-systems               GET    302       404      403   200    403         200        200   200   404
study-metrics-start         POST   302       404      403   403    403         302        302   302   404
study-metrics-download      GET    302       404      403   404    403         404        404   404   404
study-generalisability      GET    302       404      403   403    403         200        200   200   404
study-generalisability      POST   302       404      403   403    403         302        302   302   404
study-generalisability-download GET 302      404      403   403    403         404        404   404   404
study-perspectives          GET    302       404      403   403    403         200        200   200   404
study-classes               GET    302       404      403   403    403         200        200   200   404
study-classes-download      GET    302       404      403   403    403         404        404   404   404
study-repeated-run          GET    302       404      403   403    403         200        200   200   404
study-repeated-run-download GET    302       404      403   403    403         404        404   404   404
study-new-raters            GET    302       404      403   200    403         200        200   200   404
study-new-raters            POST   302       404      403   403    403         302        302   302   404
study-mixed-model           GET    302       404      403   200    403         200        200   200   404
study-mixed-model           POST   302       404      403   403    403         302        302   302   404
study-mixed-model-download  GET    302       404      403   404    403         404        404   404   404
study-judges                GET    302       404      403   200    403         200        200   200   404
study-judges                POST   302       404      403   403    403         302        302   302   404
study-judge-add             GET    302       404      403   403    403         200        200   200   404
study-judge-add             POST   302       404      403   403    403         422        422   422   404
study-judge-add-metric      POST   302       404      403   403    403         422        422   422   404
study-judge-add-model       GET    302       404      403   403    403         200        200   200   404
study-judge-add-model       POST   302       404      403   403    403         422        422   422   404
study-judge-add-chat        GET    302       404      403   403    403         403        403   200   404
study-judge-add-chat        POST   302       404      403   403    403         403        403   422   404
study-judge                 GET    302       404      403   403    403         200        200   200   404
study-judge-run             POST   302       404      403   403    403         302        302   302   404
study-judge-model           POST   302       404      403   403    403         302        302   302   404
study-judge-forbid          POST   302       404      403   403    403         403        403   302   404
study-judge-delete          POST   302       404      403   403    403         302        302   302   404
study-judge-key             POST   302       404      403   403    403         403        403   302   404
study-judges-download       GET    302       404      403   404    403         404        404   404   404
study-compare               GET    302       404      403   200    403         200        200   200   404
study-compare-start         POST   302       404      403   403    403         302        302   302   404
study-compare-download      GET    302       404      403   404    403         404        404   404   404
study-planner               GET    302       404      403   403    403         200        200   200   404
study-power                 GET    302       404      403   403    403         200        200   200   404
study-power                 POST   302       404      403   403    403         302        302   302   404
study-power-download        GET    302       404      403   403    403         404        404   404   404
study-crossed               GET    302       404      403   403    403         200        200   200   404
study-crossed-download      GET    302       404      403   403    403         404        404   404   404
study-scores                GET    302       404      403   200    403         200        200   200   404
study-directions            POST   302       404      403   403    403         302        302   302   404
study-scores-import         GET    302       404      403   403    403         200        200   200   404
study-scores-import         POST   302       404      403   403    403         422        422   422   404
study-scores-file           GET    302       404      403   403    403         200        200   200   404
study-scores-file           POST   302       404      403   403    403         422        422   422   404
study-scores-problems       GET    302       404      403   403    403         200        200   200   404
study-score-runs            GET    302       404      403   403    403         200        200   200   404
study-score-runs            POST   302       404      403   403    403         302        302   302   404
study-score-act             POST   302       404      403   403    403         302        302   302   404
study-score-items           GET    302       404      403   403    403         200        200   200   404
study-score-item            GET    302       404      403   403    403         200        200   200   404
study-score-item            POST   302       404      403   403    403         302        302   302   404
study-score-weights         GET    302       404      403   403    403         200        200   200   404
study-score-groups          GET    302       404      403   403    403         200        200   200   404
study-score-corpus          GET    302       404      403   403    403         200        200   200   404
study-score-corpus          POST   302       404      403   403    403         302        302   302   404
study-score-corpus-download GET    302       404      403   403    403         404        404   404   404
job                         GET    302       404      403   403    403         200        200   200   404
job-cancel                  POST   302       404      403   403    403         302        302   302   404
study-adjudication-withdraw POST   302       404      403   403    403         403        302   302   404
study-adjudication-assign   POST   302       404      403   403    403         403        302   302   404
study-personal-links        POST   302       404      403   403    403         403        422   422   404
study-change-link           POST   302       404      403   403    403         403        302   302   404
study-share-links           GET    302       404      403   403    403         403        200   200   404
study-share-links           POST   302       404      403   403    403         403        404   404   404
study-share-link-revoke     POST   302       404      403   403    403         403        302   302   404
shared-result               GET    200       200      200   200    200         200        200   200   200

"""


def rows() -> dict[tuple[str, str], dict[str, int]]:
    """(address, method) → caller → status."""
    lines = [line.split() for line in (TABLE + OF_API).splitlines() if line.strip()]
    assert lines[0] == ["address", "method", *CALLERS]
    found = {}
    for name, method, *numbers in lines[1:]:
        assert (name, method) not in found, f"{name} {method} stands in the table twice"
        found[name, method] = dict(zip(CALLERS, map(int, numbers), strict=True))
    return found


def pages() -> list[str]:
    """The addresses of pages that can be read, in the order of their names."""
    return sorted({name for name, method in rows() if method == "GET" and not name.startswith("api_")})
