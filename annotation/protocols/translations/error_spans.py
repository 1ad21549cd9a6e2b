"""What raters who mark errors read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.marking.error_spans import ERROR_SPANS
from annotation.protocols.translations.common import CHINESE_CONSENT, JAPANESE_CONSENT

CHINESE = {
    ERROR_SPANS.title: "错误片段",
    ERROR_SPANS.description: "比喻句的转写。评分者标出错误及其类别和严重程度，再给整句打分。",
    ERROR_SPANS.consent: CHINESE_CONSENT.format(task="请您在短文中标出错误。"),
    ERROR_SPANS.instructions: (
        "请先读原文，再读转写。把转写中每一处错误标出来，所选词语以足以显示错误为限。"
        "然后选择错误的严重程度和类别。如有遗漏，请标出遗漏处旁边的词语。"
        "如果没有错误，请选择“无错误”。最后说明整句转写保留了多少原文内容。"
    ),
    "Errors": "错误",
    "What is wrong in the rendering?": "转写中有哪些错误？",
    "Original": "原文",
    "Rendering": "转写",
    "Meaning": "意义",
    "it says something else than the original": "与原文意思不符",
    "Wording": "措辞",
    "nobody would put it like this": "没有人会这样说",
    "Grammar": "语法",
    "form, spelling or punctuation is wrong": "词形、拼写或标点有误",
    "Omission": "遗漏",
    "something of the original is missing here": "此处遗漏了原文内容",
    "Minor": "轻微",
    "you notice it, and still understand what is meant": "能注意到，但仍能理解原意",
    "Major": "严重",
    "it misleads, or you cannot tell what it says": "造成误解，或看不出意思",
    "Critical": "致命",
    "it does harm, or makes the text useless": "会造成伤害，或使文本无法使用",
    "The whole rendering": "整句转写",
    "How much of the original does it keep?": "它保留了多少原文内容？",
    "nothing": "毫无保留",
    "everything": "全部保留",
}
JAPANESE = {
    ERROR_SPANS.title: "誤りのスパン",
    ERROR_SPANS.description: "比喩文の言い換え。誤りを種類と重大さとともにマークし、最後に全体を評価します。",
    ERROR_SPANS.consent: JAPANESE_CONSENT.format(task="短い文章の誤りをマークしていただきます。"),
    ERROR_SPANS.instructions: (
        "まず原文を、次に言い換えを読んでください。言い換えの誤っている箇所を、誤りが分かる最小限の語句でマークし、"
        "重大さと種類を選んでください。抜けている語は、抜けている箇所の隣の語句をマークします。"
        "誤りがなければ「誤りなし」を選んでください。最後に、言い換え全体が原文をどの程度保っているかを答えてください。"
    ),
    "Errors": "誤り",
    "What is wrong in the rendering?": "言い換えのどこが誤っていますか。",
    "Original": "原文",
    "Rendering": "言い換え",
    "Meaning": "意味",
    "it says something else than the original": "原文と違うことを言っている",
    "Wording": "言い回し",
    "nobody would put it like this": "そのような言い方はしない",
    "Grammar": "文法",
    "form, spelling or punctuation is wrong": "語形、表記、句読点が誤っている",
    "Omission": "欠落",
    "something of the original is missing here": "原文の内容がここで抜けている",
    "Minor": "軽微",
    "you notice it, and still understand what is meant": "気になるが、意味は分かる",
    "Major": "重大",
    "it misleads, or you cannot tell what it says": "誤解を招く、または意味が分からない",
    "Critical": "致命的",
    "it does harm, or makes the text useless": "害がある、または文章として役に立たない",
    "The whole rendering": "言い換え全体",
    "How much of the original does it keep?": "原文をどの程度保っていますか。",
    "nothing": "まったく保っていない",
    "everything": "すべて保っている",
}
PROTOCOLS = (ERROR_SPANS,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
