"""Media files are stored once with their rows, change in drafts alone, and go with their study."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.domain.base.errors import FileRefused, InvalidContent, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.io.items.media.stored import pieces, storage
from annotation.models import AuditEntry, MediaFile
from annotation.services.items.media.local_files import import_media
from annotation.services.items.media.storing import delete_media_of, describe_media, remove_media
from annotation.services.studies.definitions import copy_study
from annotation.services.studies.deletion import delete_draft
from annotation.services.studies.lifecycle import change_state
from tests.support.media.media_study import archive, names_media, picture, picture_cast, recording

pytestmark = pytest.mark.django_db


def stored_files(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / "stored").rglob("*") if file.is_file())


def test_files_are_stored_under_their_digest(tmp_path):
    cast = picture_cast(tmp_path)
    files = list(MediaFile.objects.filter(study=cast.study))
    assert [(one.name, one.kind, one.alt) for one in files] == [
        ("p0.png", "image", "A field of green 0"),
        ("p1.png", "image", "A field of green 1"),
    ]
    assert stored_files(tmp_path) == sorted(one.sha256 for one in files)
    first = files[0]
    assert b"".join(pieces(first.stored_name, 0, first.size)).startswith(b"\x89PNG")
    assert AuditEntry.objects.get(act="add_media").detail == {"count": 2, "described": 2}


def test_the_same_files_come_again_and_change_nothing(tmp_path):
    cast = picture_cast(tmp_path)
    came = import_media(study=cast.study, paths=[tmp_path / "pictures.zip"])
    assert (came.added, came.described) == (0, 0)
    assert len(stored_files(tmp_path)) == 2


def test_a_file_of_a_draft_is_replaced_and_its_old_content_deleted(
    tmp_path, django_capture_on_commit_callbacks
):
    cast = picture_cast(tmp_path)
    (tmp_path / "p0.png").write_bytes(picture("red"))
    with django_capture_on_commit_callbacks(execute=True):
        import_media(study=cast.study, paths=[tmp_path / "p0.png"])
    assert stored_files(tmp_path) == sorted(cast.study.media_files.values_list("sha256", flat=True))
    assert cast.study.media_files.get(name="p0.png").alt == "A field of green 0"
    assert AuditEntry.objects.filter(act="add_media").latest("pk").detail == {
        "count": 1, "described": 0, "replaced": ["p0.png"],
    }  # fmt: skip


def test_words_of_a_draft_can_be_cleared_and_have_a_longest_length(tmp_path):
    cast = picture_cast(tmp_path)
    owner = cast.users["owner"]
    with pytest.raises(InvalidContent) as refused:
        describe_media(study=cast.study, name="p0.png", alt="x" * 20_001, transcript="", actor=owner)
    assert refused.value.code == "too_long"
    assert cast.study.media_files.get(name="p0.png").alt == "A field of green 0"
    describe_media(study=cast.study, name="p0.png", alt="", transcript="", actor=owner)
    assert cast.study.media_files.get(name="p0.png").alt == ""


def test_an_address_that_is_too_long_is_refused(tmp_path, settings):
    settings.MEDIA_HOSTS = ["media.example.org"]
    cast = picture_cast(tmp_path)
    address = f"https://media.example.org/{'a' * 500}.png"
    (tmp_path / "far.csv").write_text(f"file,alt,address\np9.png,Far away.,{address}\n")
    with pytest.raises(FileRefused) as refused:
        import_media(study=cast.study, paths=[tmp_path / "far.csv"])
    assert [(one.column, one.code) for one in refused.value.problems] == [("address", "too_long")]


def test_content_that_came_back_before_it_was_deleted_stays(tmp_path, django_capture_on_commit_callbacks):
    cast = picture_cast(tmp_path)
    digest = cast.study.media_files.get(name="p0.png").sha256
    with django_capture_on_commit_callbacks(execute=True):
        remove_media(study=cast.study, name="p0.png", actor=cast.users["owner"])
        import_media(study=cast.study, paths=[tmp_path / "pictures.zip"])
    assert cast.study.media_files.get(name="p0.png").sha256 == digest
    assert digest in stored_files(tmp_path)


def test_what_raters_see_does_not_change_after_opening(tmp_path):
    cast = picture_cast(tmp_path)
    study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    (tmp_path / "p0.png").write_bytes(picture("red"))
    with pytest.raises(NotAllowedNow) as refused:
        import_media(study=study, paths=[tmp_path / "p0.png"])
    assert refused.value.code == "not_a_draft"
    for change in (
        lambda: describe_media(
            study=study, name="p0.png", alt="Red.", transcript="", actor=cast.users["owner"]
        ),
        lambda: remove_media(study=study, name="p0.png", actor=cast.users["owner"]),
    ):
        with pytest.raises(NotAllowedNow, match="while the study is a draft"):
            change()
    (tmp_path / "p2.png").write_bytes(picture("blue"))
    assert import_media(study=study, paths=[tmp_path / "p2.png"]).added == 1


def test_nothing_is_stored_where_one_file_is_refused(tmp_path):
    cast = picture_cast(tmp_path)
    (tmp_path / "more.zip").write_bytes(archive({"new.png": picture("red"), "bad.png": b"<svg/>"}))
    with pytest.raises(FileRefused):
        import_media(study=cast.study, paths=[tmp_path / "more.zip"])
    (tmp_path / "more.zip").write_bytes(archive({"new.png": picture("red"), "m.csv": "file,alt\nno.png,x\n"}))
    with pytest.raises(FileRefused, match="no media file of this name"):
        import_media(study=cast.study, paths=[tmp_path / "more.zip"])
    assert cast.study.media_files.count() == len(stored_files(tmp_path)) == 2


def test_a_study_has_room_for_so_many_bytes(tmp_path, settings):
    cast = picture_cast(tmp_path)
    settings.MEDIA_STUDY_BYTES = 1000
    (tmp_path / "long.wav").write_bytes(recording(1))
    with pytest.raises(FileRefused, match="what is left for the media of this study"):
        import_media(study=cast.study, paths=[tmp_path / "long.wav"])


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda cast: cast.study.media_files.filter(name="p1.png").delete(), "media_missing"),
        (lambda cast: cast.study.media_files.update(kind="audio"), "media_of_other_kind"),
        (lambda cast: cast.study.media_files.filter(name="p1.png").update(alt=" "), "media_without_words"),
    ],
)
def test_a_study_does_not_open_before_every_file_is_there_and_has_its_words(tmp_path, make, code):
    cast = picture_cast(tmp_path)
    make(cast)
    with pytest.raises(NotAllowedNow) as refused:
        change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert refused.value.code == code


def test_a_deleted_draft_takes_its_files_with_it(tmp_path, django_capture_on_commit_callbacks):
    cast = picture_cast(tmp_path)
    other = picture_cast(tmp_path, slug="others")
    (tmp_path / "stored" / "study-media" / str(cast.study.pk) / "left-by-a-killed-worker").write_bytes(b"x")
    with django_capture_on_commit_callbacks(execute=True):
        delete_draft(study=cast.study, actor=cast.users["owner"])
    assert stored_files(tmp_path) == sorted(other.study.media_files.values_list("sha256", flat=True))


def test_what_a_killed_worker_began_is_written_again(tmp_path):
    cast = picture_cast(tmp_path)
    file = cast.study.media_files.get(name="p0.png")
    (tmp_path / "stored" / file.stored_name).write_bytes(b"half")
    file.delete()
    import_media(study=cast.study, paths=[tmp_path / "pictures.zip"])
    assert storage().size(file.stored_name) == file.size


@pytest.mark.parametrize(
    ("address", "accepted"),
    [
        ("https://media.example.org/p9.png", True),
        ("http://media.example.org/p9.png", False),
        ("https://media.example.org.evil.example/p9.png", False),
        ("https://user@media.example.org/p9.png", False),
        ("https://media.example.org/p9.svg", False),
        ("https://[media.example.org/p9.png", False),
        ("javascript:alert(1)//media.example.org/p9.png", False),
    ],
)
def test_files_of_other_servers_are_on_allowed_ones_alone(tmp_path, settings, address, accepted):
    settings.MEDIA_HOSTS = ["media.example.org"]
    cast = picture_cast(tmp_path)
    (tmp_path / "far.csv").write_text(f"file,alt,address\np9.png,Far away.,{address}\n")
    if not accepted:
        with pytest.raises(FileRefused, match="https"):
            import_media(study=cast.study, paths=[tmp_path / "far.csv"])
        return
    import_media(study=cast.study, paths=[tmp_path / "far.csv"])
    assert cast.study.media_files.get(name="p9.png").address == address


def test_recordings_need_a_transcript(tmp_path):
    cast = picture_cast(tmp_path, slug="sounds")
    study = cast.study
    study.items.all().delete()
    names_media(study, role="audio", ending="wav")
    version = study.forms.get().versions.get()
    version.blocks = [block for block in version.blocks if block["role"] != "image"]
    version.save()
    for n in range(2):
        (tmp_path / f"p{n}.wav").write_bytes(recording(0.1))
    import_media(study=study, paths=[tmp_path / "p0.wav", tmp_path / "p1.wav"])
    with pytest.raises(NotAllowedNow) as refused:
        change_state(study=study, to=StudyState.OPEN, actor=cast.users["owner"])
    assert refused.value.code == "media_without_words"


def test_a_copy_of_a_study_has_files_of_its_own(tmp_path):
    cast = picture_cast(tmp_path)
    owner = cast.users["owner"]
    copy = copy_study(
        study=cast.study, slug="copy", title="Copy", owner=owner, with_items=True, with_pay=False
    ).study
    names = list(copy.media_files.values_list("name", "alt", "sha256"))
    assert names == list(cast.study.media_files.values_list("name", "alt", "sha256"))
    delete_media_of(cast.study)
    file = copy.media_files.get(name="p0.png")
    assert len(b"".join(pieces(file.stored_name, 0, file.size))) == file.size
    assert change_state(study=copy, to=StudyState.OPEN, actor=owner).state == StudyState.OPEN
