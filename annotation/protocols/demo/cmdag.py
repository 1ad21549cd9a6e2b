"""Chinese sentences and metaphors of the project's own, with English glosses."""

from __future__ import annotations

from annotation.protocols.template import Demo, DemoItem

LANGUAGE = "zh-hans"
# Sentence, gloss, kind of source, earlier marks of two made-up annotators.
SENTENCES = (
    (
        "她的笑声是一串刚洗过的铃铛。",
        "Her laughter is a string of freshly washed bells.",
        "prose",
        "比喻。本体：她的笑声。喻体：一串刚洗过的铃铛。",
    ),
    (
        "记忆是漏水的屋顶，梦是接水的碗。",
        "Memory is a leaking roof, dreams the bowls that catch the water.",
        "contemporary poem",
        "比喻。本体：记忆；梦。喻体：漏水的屋顶；接水的碗。",
    ),
    (
        "父亲把沉默折好，放进口袋。",
        "Father folded his silence and put it into his pocket.",
        "contemporary poem",
        "一人认为是比喻。本体：沉默。喻体：可以折叠的手帕。",
    ),
    (
        "火车在早上七点到达杭州。",
        "The train arrives in Hangzhou at seven in the morning.",
        "prose",
        "两人都认为不是比喻。",
    ),
    (
        "你走后，整座城是一张没寄出的明信片。",
        "Since you left, the whole city is a postcard never sent.",
        "lyrics",
        "比喻。本体：整座城。喻体：没寄出的明信片。",
    ),
    (
        "我的节奏是一把不生锈的钥匙。",
        "My rhythm is a key that does not rust.",
        "rap lyrics",
        "比喻。本体：我的节奏。喻体：一把不生锈的钥匙。",
    ),
)
SYSTEMS = ("kettle/no ground", "kettle/ground", "ferry/no ground", "ferry/ground")
# Tenor and vehicle, then a metaphor and its gloss by each system in the order above.
METAPHORS = (
    (
        "时间",
        "河流",
        (
            ("时间是河流。", "Time is a river."),
            ("时间是河流，从不为谁回头。", "Time is a river that turns back for nobody."),
            ("河流的时间在吃时间的河流。", "The river's time eats the time's river."),
            ("时间是一条不肯停下的河流。", "Time is a river that refuses to stop."),
        ),
    ),
    (
        "友情",
        "旧外套",
        (
            ("友情像旧外套。", "Friendship is like an old coat."),
            ("友情是一件旧外套，越穿越合身。", "Friendship is an old coat that fits better with wear."),
            ("旧外套买了友情三斤。", "The old coat bought three pounds of friendship."),
            ("友情是旧外套的温度。", "Friendship is the warmth of an old coat."),
        ),
    ),
)


def _sentence(number: int, sentence: str, gloss: str, source: str, earlier: str) -> DemoItem:
    return DemoItem(
        key=f"Z{number}",
        fields={"sentence": sentence, "gloss": gloss, "earlier": earlier},
        metadata={"source": source, "language": LANGUAGE},
    )


SENTENCE_DEMO = Demo(items=tuple(_sentence(number, *one) for number, one in enumerate(SENTENCES, start=1)))
METAPHOR_DEMO = Demo(
    items=tuple(
        DemoItem(
            key=f"M{number}-{place}",
            group=f"M{number}",
            system=system,
            fields={"metaphor": metaphor, "gloss": gloss},
            metadata={"tenor": tenor, "vehicle": vehicle, "language": LANGUAGE},
        )
        for number, (tenor, vehicle, written) in enumerate(METAPHORS, start=1)
        for place, (system, (metaphor, gloss)) in enumerate(zip(SYSTEMS, written, strict=True), start=1)
    )
)
