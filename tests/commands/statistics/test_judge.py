"""`manage.py judge`: adds a judge, shows its prompt, runs it, and continues it by its name."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Judge
from tests.support.outside.chat_server import KEY, chat_server
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(settings):
    with chat_server() as running:
        settings.JUDGE_ADDRESS, settings.JUDGE_KEY, settings.JUDGE_PRIVATE = running.base, KEY, True
        yield running


def printed(*arguments):
    out = StringIO()
    call_command("judge", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def refused(*arguments):
    with pytest.raises(CommandError) as caught:
        printed(*arguments)
    assert caught.value.returncode == 2
    return str(caught.value)


def test_a_chat_judge_is_added_allowed_run_and_continued(server):
    cast = make_cast(items=3)
    asked = (cast.slug, "--chat", "judge-1", "--criteria", "quality, creativity")
    assert "[texts_may_not_leave]" in refused(*asked)
    owner = ("--allowed-by", cast.users["owner"].email)
    assert "[consent_says_nothing_of_judges]" in refused(*asked, *owner)
    assert server.asked == []
    server.script = {"moon 1": ["declined"]}
    output = printed(*asked, *owner, "--consent-names-judges")
    assert f"sent to {server.base}" in output
    assert "judge-1: 3 answered" in output
    assert "refused: 2" in output
    assert "0 calls repeated" in output
    assert "3 answered" in printed(cast.slug, "--name", "judge-1")
    assert len(server.asked) == 3
    assert "Rate." in printed(cast.slug, "--name", "judge-1", "--show-prompt")
    assert Judge.objects.count() == 1


def test_refusals_have_their_codes_and_add_no_judge(server, settings):
    cast = make_cast(items=3)
    chat = (cast.slug, "--chat", "judge-1", "--criteria", "quality")
    assert "[no_model]" in refused(cast.slug, "--name", "nobody")
    assert "[unknown_criterion]" in refused(cast.slug, "--chat", "judge-1", "--criteria", "beauty")
    assert "[price_missing]" in refused(*chat, "--budget", "2")
    assert "[samples_need_temperature]" in refused(*chat, "--samples", "2")
    assert "[bad_option]" in refused(*chat, "--price", "cheap")
    local = (cast.slug, "--model", "./nowhere", "--criteria", "quality")
    assert "[checkpoint_missing]" in refused(*local)
    settings.JUDGE_ADDRESS = ""
    assert "[judge_endpoint_off]" in refused(*chat)
    assert not Judge.objects.exists()
