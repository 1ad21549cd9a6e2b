"""Files in the encodings of spreadsheets are read as they were meant, or refused with the way out."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import FileRefused
from annotation.io.base.readers import read_rows
from annotation.io.items.any_encoding import recognise, stream_items
from annotation.models import Item, Job, Study
from annotation.tasks import run_job
from tests.support.people import make_cast

FRENCH = "item,simile\na,“Sa voix était douce comme du miel – très douce.”\nb,Le café fume comme un volcan.\n"
CHINESE = (
    "item,simile\na,月亮像一盏灯，挂在天上。\nb,他的声音像雨一样落在心里。\nc,时间过去了，像水一样流走。\n"
)
JAPANESE = "item,simile\na,月はランプのように空に掛かっていた。\nb,声が雨のように降ってきた。\n"
LATE_ACCENT = "item,simile\n" + "".join(f"a{n},It fell like rain\n" for n in range(12_000)) + "b,café\n"
KOREAN = "item,simile\na,달이 등불처럼 하늘에 걸려 있었다.\nb,그의 목소리는 비처럼 마음에 내렸다.\n"
GERMAN = "item,simile\na,„Süß wie Honig“ – größer als ein Öltanker und weiß wie Füße im Schnee.\n"
SPANISH = (
    "item,simile\na,¿Cómo está el corazón? «Frío como un niño sin mañana».\nb,¡Ámame como la pingüina!\n"
)
HUNGARIAN = "item,simile\na,Olyan a hangja, mint a csengő.\nb,Kék, mint az ég.\n"
POLISH = "item,simile\na,Mówiła cicho, jak śnieg.\nb,Się pali jak słońce.\n"
THAI = "item,simile\na,พระจันทร์เหมือนโคมไฟแขวนอยู่บนฟ้า\nb,เสียงของเขานุ่มเหมือนสายฝน\n"
TYPED_ON_A_MAC = "item,simile\na,It’s like a “door” – heavy as lead\nb,He didn’t move\n"
DOS_FRENCH = "item,simile\na,Un château comme un âge perdu.\n"
ROMANIAN = "item,simile\na,O luna ca un băiat.\n"
RUSSIAN = "item,simile\na,Луна висела, как лампа, над тихим городом.\nb,Голос его был мягок, как мёд.\n"


@pytest.mark.parametrize(
    ("text", "codec", "title"),
    [
        (FRENCH, "cp1252", "Windows-1252"),
        ("item,simile\na,a naïve moon\n", "cp1252", "Windows-1252"),
        (LATE_ACCENT, "cp1252", "Windows-1252"),
        ("item,simile\na,Größe wie ein Berg\n", "cp1252", "Windows-1252"),
        ("item,simile\na,“It’s soft — like rain…” he said\n", "cp1252", "Windows-1252"),
        (GERMAN, "cp1252", "Windows-1252"),
        (SPANISH, "cp1252", "Windows-1252"),
        (CHINESE, "gbk", "GBK"),
        ("item,simile\na,像雨\n", "gbk", "GBK"),
        ("item,simile\na,父亲是大山——沉默而坚定\n", "gbk", "GBK"),
        ("item,simile\na,彼の声は雨\n", "cp932", "Shift-JIS"),
        (JAPANESE, "cp932", "Shift-JIS"),
        (JAPANESE, "utf-16", "UTF-16"),
        (CHINESE, "utf-16-be", "UTF-16"),
    ],
)
def test_an_encoding_that_spreadsheets_write_is_recognised_and_read(tmp_path: Path, text, codec, title):
    data = text.encode(codec)
    path = tmp_path / "similes.csv"
    path.write_bytes(codecs.BOM_UTF16_BE + data if codec == "utf-16-be" else data)
    found = recognise(path.read_bytes())
    assert found is not None
    assert found.title == title
    _problems, rows = stream_items(path, name="similes.csv")
    read = [row["simile"] for _number, row in rows]
    assert read == [line.split(",", 1)[1] for line in text.splitlines()[1:]]
    assert [one.name for one in tmp_path.iterdir()] == ["similes.csv"]


@pytest.mark.parametrize("data", [CHINESE.encode(), JAPANESE.encode("utf-8-sig"), b"item,simile\na,x\n", b""])
def test_utf_8_is_left_alone(data):
    assert recognise(data) is None


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (KOREAN, "euc-kr"),
        (KOREAN, "cp949"),
        ("item,simile\na,달처럼\n", "cp949"),
        (RUSSIAN, "cp1251"),
        ("item,simile\na,The word да means yes like a drum\n", "cp1251"),
        ("item,simile\na,The word Луна is soft as a lamp\n", "cp1251"),
        (RUSSIAN, "koi8-r"),
        (CHINESE, "big5hkscs"),
        (THAI, "cp874"),
        (HUNGARIAN, "cp1250"),
        (POLISH, "cp1250"),
        (ROMANIAN, "cp1250"),
        (TYPED_ON_A_MAC, "mac-roman"),
        (FRENCH, "mac-roman"),
        (DOS_FRENCH, "cp850"),
        (JAPANESE, "euc-jp"),
    ],
)
def test_an_encoding_that_cannot_be_recognised_is_refused_with_the_way_out(tmp_path: Path, text, codec):
    path = tmp_path / "similes.csv"
    path.write_bytes(text.encode(codec, errors="replace"))
    assert recognise(path.read_bytes()) is None
    with pytest.raises(FileRefused) as refused:
        read_rows(path)
    assert {one.code for one in refused.value.problems} == {"wrong_encoding"}
    assert "CSV UTF-8" in refused.value.problems[0].message


@pytest.mark.parametrize("quoted", ["“soft” — like rain", "It’s soft", "Größe, Spaß, Öl, weiß"])
def test_utf_8_with_one_damaged_byte_is_refused_and_not_read_as_another_encoding(tmp_path: Path, quoted):
    path = tmp_path / "similes.csv"
    path.write_bytes(f'item,simile\na,"{quoted}"\n'.encode() + b"b,caf\xe9\n")
    assert recognise(path.read_bytes()) is None
    with pytest.raises(FileRefused) as refused:
        read_rows(path)
    [problem] = refused.value.problems
    assert (problem.row, problem.code) == (3, "wrong_encoding")
    assert "CSV UTF-8" in problem.message


@pytest.mark.django_db
def test_the_page_of_the_columns_says_how_the_file_is_encoded():
    cast = make_cast(opened=False)
    client = Client()
    client.force_login(cast.users["researcher"])
    sent = {"what": "columns", "file": SimpleUploadedFile("similes.csv", JAPANESE.encode("cp932"))}
    page = client.post(reverse("study-import", args=[cast.slug]), sent, follow=True)
    assert "The file is encoded as Shift-JIS, not UTF-8." in page.content.decode()
    url = page.redirect_chain[-1][0]
    client.post(url, {"use-0": "item", "use-1": "text:", "act": "import"})
    run_job(Job.objects.get(kind="import_items").pk)
    assert Item.objects.get(key="b").fields == {"simile": "声が雨のように降ってきた。"}


@pytest.mark.django_db
def test_a_new_study_with_such_a_file_shows_its_texts_before_they_are_stored():
    cast = make_cast(opened=False)
    client = Client()
    client.force_login(cast.users["owner"])
    content = FRENCH.replace("item,simile", "item,poem").encode("cp1252")
    sent = {"title": "Miel", "protocol": "blank", "items": SimpleUploadedFile("miel.csv", content)}
    page = client.post(reverse("study-new"), sent, follow=True)
    assert "The file is encoded as Windows-1252, not UTF-8." in page.content.decode()
    assert "était douce" in page.content.decode()
    assert not Study.objects.get(title="Miel").items.exists()
