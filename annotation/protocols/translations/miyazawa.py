"""What raters of metaphorical expressions read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.demo.miyazawa import DEMO
from annotation.protocols.miyazawa import MIYAZAWA
from annotation.protocols.translations.common import CHINESE_CONSENT, JAPANESE_CONSENT

_WORD_CLASSES = [check.question for check in DEMO.checks]

CHINESE = {
    MIYAZAWA.title: "隐喻表达（Miyazawa & Miyao）",
    MIYAZAWA.description: "分别评价各个表达的隐喻性、可理解性和新颖性，量表为 1 至 5。",
    MIYAZAWA.consent: CHINESE_CONSENT.format(task="请您评价一些表达。"),
    MIYAZAWA.instructions: (
        "每页显示一个表达，并就它问一个问题。量表只说明了两端的含义，中间的等级请凭感觉选择。"
        "不必对着一个表达反复思考。"
    ),
    "Expression": "表达",
    "Metaphoricity": "隐喻性",
    "How figurative is this?": "这个表达的比喻意味有多强？",
    "taken literally": "就是字面意思",
    "clearly a metaphor": "明显是隐喻",
    "Comprehensibility": "可理解性",
    "How easily is this understood?": "这个表达有多容易理解？",
    "makes no sense": "完全不知所云",
    "understood at once": "一看就懂",
    "Novelty": "新颖性",
    "How new is this to you?": "这个表达对您来说有多新鲜？",
    "in common use": "很常用",
    "never met before": "从未见过",
    "noun": "名词",
    "verb": "动词",
    "adjective": "形容词",
    "adverb": "副词",
    **{
        question: f"“{word}”在这里是什么词性？"
        for question, word in zip(_WORD_CLASSES, ("quietly", "narrow", "ladder"), strict=True)
    },
}
JAPANESE = {
    MIYAZAWA.title: "隠喩表現（Miyazawa & Miyao）",
    MIYAZAWA.description: "表現の隠喩性、理解しやすさ、新奇性を、1～5の評定尺度で別々に評価します。",
    MIYAZAWA.consent: JAPANESE_CONSENT.format(task="いろいろな表現を評価していただきます。"),
    MIYAZAWA.instructions: (
        "各ページでは、表現を1つ示し、それについて1つだけ質問します。"
        "評定尺度は両端にだけ説明があります。その間は、感じたとおりに選んでください。"
        "1つの表現について長く考える必要はありません。"
    ),
    "Expression": "表現",
    "Metaphoricity": "隠喩性",
    "How figurative is this?": "この表現はどのくらい比喩的だと感じますか。",
    "taken literally": "文字通りの意味",
    "clearly a metaphor": "明らかに隠喩",
    "Comprehensibility": "理解しやすさ",
    "How easily is this understood?": "この表現はどのくらい理解しやすいですか。",
    "makes no sense": "意味がわからない",
    "understood at once": "すぐに理解できる",
    "Novelty": "新奇性",
    "How new is this to you?": "この表現はあなたにとってどのくらい目新しいですか。",
    "in common use": "普段から使われている",
    "never met before": "初めて目にした",
    "noun": "名詞",
    "verb": "動詞",
    "adjective": "形容詞",
    "adverb": "副詞",
    **{
        question: f"この文の「{word}」の品詞は何ですか。"
        for question, word in zip(_WORD_CLASSES, ("quietly", "narrow", "ladder"), strict=True)
    },
}
PROTOCOLS = (MIYAZAWA,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
