"""Files of items that cannot be taken, made by breaking a good one in every way known."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable

import openpyxl
import pyarrow
import pyarrow.parquet

Broken = tuple[str, bytes]
Breaker = Callable[[random.Random], Broken]
BREAKERS: dict[str, Breaker] = {}
# None is a number: a file of items whose texts were numbers could be one of scores.
WORDS = ("rain", "drum", "雨", "été", "a, b", "=1+1", "-", "☂", "O'Neill", "1e5 k")


def breaker(make: Breaker) -> Breaker:
    BREAKERS[make.__name__] = make
    return make


def table(rng: random.Random) -> list[list[str]]:
    rows = [[f"k{number}", rng.choice(WORDS), rng.choice(WORDS)] for number in range(rng.randint(1, 6))]
    return [["item", "literal", "simile"], *rows]


def text_of(rows: list[list[str]], mark: str) -> str:
    return "\n".join(mark.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows) + "\n"


def delimited(rng: random.Random, rows: list[list[str]]) -> Broken:
    ending, mark = rng.choice([("csv", ","), ("tsv", "\t")])
    return f"t.{ending}", text_of(rows, mark).encode("utf-8", "surrogatepass")


def spoiled(rng: random.Random, change: Callable[[list[str]], None]) -> Broken:
    rows = table(rng)
    change(rows[rng.randrange(1, len(rows))])
    return delimited(rng, rows)


@breaker
def wrong_bytes(rng: random.Random) -> Broken:
    name, content = delimited(rng, table(rng))
    at = rng.randrange(len(content))
    return name, content[:at] + rng.choice([b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\x80"]) + b"x" + content[
        at:
    ]


@breaker
def another_encoding(rng: random.Random) -> Broken:
    name, content = delimited(rng, [*table(rng), ["kz", "été", "über"]])
    return name, content.decode().encode(rng.choice(["utf-16", "utf-16-le", "utf-32", "latin-1"]), "replace")


@breaker
def nul(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__setitem__(rng.randrange(3), "a\0b"))


@breaker
def too_many_cells(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.extend(["x"] * rng.randint(1, 50)))


@breaker
def too_few_cells(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__delitem__(-1))


@breaker
def open_quote(rng: random.Random) -> Broken:
    name, content = delimited(rng, table(rng))
    return name, content + b'kq,"no end'.replace(b",", b"\t" if name.endswith("tsv") else b",")


@breaker
def huge_cell(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__setitem__(rng.randrange(3), "x" * 1_000_001))


@breaker
def doubled_key(rng: random.Random) -> Broken:
    rows = table(rng)
    return delimited(rng, [*rows, rng.choice(rows[1:])])


@breaker
def key_of_the_study(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__setitem__(0, "L00"))


@breaker
def no_key(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__setitem__(0, rng.choice(["", " ", "\t"])))


@breaker
def long_key(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__setitem__(0, "k" * rng.randint(121, 5000)))


@breaker
def planted_key(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__setitem__(0, rng.choice(["check:a", "calibration:1"])))


@breaker
def no_text(rng: random.Random) -> Broken:
    return spoiled(rng, lambda row: row.__setitem__(slice(1, 3), ["", ""]))


@breaker
def bad_header(rng: random.Random) -> Broken:
    rows = table(rng)
    rows[0] = rng.choice(
        [
            ["id", "literal", "simile"],
            ["item", "", "simile"],
            ["item", "a", "a"],
            ["item", "item", "b"],
            [""] * 3,
        ]
    )
    return delimited(rng, rows)


@breaker
def another_delimiter(rng: random.Random) -> Broken:
    return "t.csv", text_of(table(rng), rng.choice(["|", "\t"])).replace('"', "").encode()


@breaker
def nothing_in_it(rng: random.Random) -> Broken:
    ending = rng.choice(["csv", "tsv", "jsonl", "json", "xlsx", "parquet"])
    return f"t.{ending}", rng.choice([b"", b"\n\n", b"item,simile\n", b"\xef\xbb\xbf", b" "])


@breaker
def unknown_ending(rng: random.Random) -> Broken:
    return rng.choice(["t.exe", "t", "t.xls", "t.csv.gz", "t.CSVX", "t."]), text_of(table(rng), ",").encode()


@breaker
def random_bytes(rng: random.Random) -> Broken:
    ending = rng.choice(["csv", "tsv", "jsonl", "json", "xlsx", "parquet"])
    start = rng.choice([b"", b"PK\x03\x04", b"PAR1", b"\xef\xbb\xbf", b"{", b"["])
    return f"t.{ending}", start + rng.randbytes(rng.randint(1, 400))


@breaker
def bad_json(rng: random.Random) -> Broken:
    line = rng.choice(
        [
            '{"item": "a", "simile": "x"',
            '["a"]',
            '"a"',
            "17",
            "null",
            '{"item": "a", "simile": {"x": 1}}',
            '{"item": "a", "simile": ["x"]}',
            '{"item": "a", "item": "b", "simile": "x"}',
            '{"item": "a", "simile": NaN}',
            '{"item": "a", "simile": 1e999}',
            '{"item": "a", "simile": "\\ud800"}',
            '{"item": "a\\u0000", "simile": "x"}',
            '{"item": "a", "\\ud800": "x"}',
            '{"item": "a", "": "x"}',
            '{"item": "a", "simile": ' + "9" * 5000 + "}",
            '{"item": "a", "simile": ' + "[" * 100_000,
            "{'item': 'a'}",
        ]
    )
    if rng.random() < 0.5:
        return "t.jsonl", f'{{"item": "k1", "simile": "x"}}\n{line}\n'.encode()
    return "t.json", f'[{{"item": "k1", "simile": "x"}}, {line}]'.encode()


@breaker
def json_of_another_shape(rng: random.Random) -> Broken:
    return "t.json", json.dumps(
        rng.choice([{"item": "a"}, "a", 3, None, [[]], [None], {"rows": []}])
    ).encode()


def book(rows: list[list[object]]) -> bytes:
    made, target = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        made.worksheets[0].append(row)
    made.save(target)
    return target.getvalue()


def repacked(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for info in old.infolist():
            data = old.read(info)
            new.writestr(info.filename, change(data) if info.filename == part else data)
    return target.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


@breaker
def formulas_without_values(rng: random.Random) -> Broken:
    row = rng.choice([["=A1", "x", "y"], ["k", "=HYPERLINK(1)", "=B1"]])
    return "t.xlsx", book([["item", "literal", "simile"], ["k1", "x", "y"], list(row)])


@breaker
def damaged_workbook(rng: random.Random) -> Broken:
    content = book([list(row) for row in table(rng)])
    # Without its start an archive can still be read; without its end, which has the directory, it cannot.
    at = rng.randrange(4, len(content) - 30)
    return "t.xlsx", content[:at] + rng.randbytes(rng.choice([0, 40]))


@breaker
def workbook_with_a_broken_part(rng: random.Random) -> Broken:
    part = rng.choice([SHEET, "xl/workbook.xml", "[Content_Types].xml"])
    damage = rng.choice([b"", b"<", b"<a>", rng.randbytes(60)])
    return "t.xlsx", repacked(book([list(row) for row in table(rng)]), part, lambda _: damage)


@breaker
def zip_bomb(rng: random.Random) -> Broken:
    size = rng.choice([300, 400]) * 1024 * 1024
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(SHEET, "w", force_zip64=True) as part:
            for _ in range(size >> 20):
                part.write(bytes(1 << 20))
        archive.writestr("xl/workbook.xml", b"<workbook/>")
    return "t.xlsx", target.getvalue()


@breaker
def billion_laughs(rng: random.Random) -> Broken:
    entities = "".join(
        f'<!ENTITY l{depth} "{f"&l{depth - 1};" * 10}">' for depth in range(1, rng.randint(8, 12))
    )
    xml = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "ha">{entities}]><worksheet>&l7;</worksheet>'
    return "t.xlsx", repacked(book([["item", "simile"], ["a", "x"]]), SHEET, lambda _: xml.encode())


@breaker
def columns_of_wrong_types(rng: random.Random) -> Broken:
    values = rng.choice(
        [
            {"item": [["a"]], "simile": ["x"]},
            {"item": ["a"], "simile": [{"x": 1}]},
            {"item": [b"\xff"], "simile": ["x"]},
            {"item": [None], "simile": ["x"]},
            {"item": ["a", "a"], "simile": ["x", "y"]},
            {"item": ["a"], "simile": [float("inf")]},
            {"item": ["a\0"], "simile": ["x"]},
            {"key": ["a"], "simile": ["x"]},
            {"item": ["a"], "simile": [None]},
        ]
    )
    target = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(values), target)
    return "t.parquet", target.getvalue()


@breaker
def damaged_columns(rng: random.Random) -> Broken:
    target = io.BytesIO()
    rows = table(rng)
    pyarrow.parquet.write_table(pyarrow.table({"item": [row[0] for row in rows[1:]]}), target)
    content = target.getvalue()
    at = rng.randrange(4, len(content) - 4)
    return "t.parquet", rng.choice([content[:at], content[at:], content[:at] + rng.randbytes(9)])


@breaker
def many_repeated_texts(rng: random.Random) -> Broken:
    target = io.BytesIO()
    text = pyarrow.array(["x" * 1_000_000] * 300).dictionary_encode()
    keys = [f"k{number}" for number in range(300)]
    pyarrow.parquet.write_table(pyarrow.table({"item": keys, "simile": text}), target)
    return "t.parquet", target.getvalue()
