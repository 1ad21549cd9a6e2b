"""Figurative sentences of the project’s own, rendered in three languages, with errors put in and without."""

from __future__ import annotations

from annotation.protocols.template import Demo, DemoItem

ORIGINALS = (
    "The morning after the storm the village lay there like an overturned suitcase.",
    "Her patience had worn as thin as the soles of her shoes.",
    "The news ran through the office faster than the coffee.",
    "He carried his secret like a full glass across a crowded room.",
)
RENDERINGS = {
    "en": (
        "The village looked like a suitcase that somebody had packed after the storm.",
        "Her patience was as thin as the soles of her shoes.",
        "The news ran in the office fast than the coffee.",
        "He carried his glass across a crowded room and told everybody.",
    ),
    "zh-hans": (
        "暴风雨后的早晨，村子像一只翻倒的手提箱躺在那里。",
        "她的耐心磨得像她的鞋带一样薄。",
        "消息在办公室里跑得比咖啡还快。",
        "他带着秘密，像端着一只空杯子穿过拥挤的房间。",
    ),
    "ja": (
        "嵐の翌朝、村はひっくり返った旅行かばんのように横たわっていた。",
        "彼女の忍耐は靴底のように厚くなっていた。",
        "知らせはコーヒーより早くオフィスを駆け抜けた。",
        "彼は秘密を、満員の部屋でコップを運んだ。",
    ),
}

DEMO = Demo(
    items=tuple(
        DemoItem(
            key=f"{language.partition('-')[0]}-{number}",
            group=f"original-{number}",
            system=f"rendering-{language.partition('-')[0]}",
            fields={"original": original, "rendering": rendering},
            metadata={"language": language},
        )
        for language, renderings in RENDERINGS.items()
        for number, (original, rendering) in enumerate(zip(ORIGINALS, renderings, strict=True), start=1)
    )
)
