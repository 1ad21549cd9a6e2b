"""What raters of pictures and their captions read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.media.image_captions import FIT_ENDS, IMAGE_CAPTIONS, MORE_ENDS

CHINESE = {
    IMAGE_CAPTIONS.title: "图片说明",
    IMAGE_CAPTIONS.description: "带有比喻性说明的图片，评分者评价说明是否贴切以及是否有所补充。",
    IMAGE_CAPTIONS.consent: (
        "请您观看一些图片并为其说明评分。您可以随时在“暂停”页面选择“退出研究”，无需说明理由。"
        "我们会存储您的回答、作答时间、离开页面和粘贴的次数以及一个编号，并可能以此形式发表。"
    ),
    IMAGE_CAPTIONS.instructions: (
        "请先看图片，再读说明。如果您在图片中看到了说明所讲的内容，说明就是贴切的。"
        "如果说明让您以不同的眼光看这张图片，它就有所补充。您是否喜欢这张图片并不重要。"
    ),
    "Captions": "图片说明",
    "Caption": "说明",
    "Fit": "贴切",
    "Does the caption fit the picture?": "说明与图片是否贴切？",
    FIT_ENDS[0]: "不贴切",
    FIT_ENDS[1]: "完全贴切",
    "Addition": "补充",
    "Does it say more than the picture shows?": "说明是否比图片表达得更多？",
    MORE_ENDS[0]: "没有更多",
    MORE_ENDS[1]: "多得多",
}
JAPANESE = {
    IMAGE_CAPTIONS.title: "画像の説明文",
    IMAGE_CAPTIONS.description: (
        "比喩を使った説明文の付いた画像について、合っているか、何を加えているかを評価します。"
    ),
    IMAGE_CAPTIONS.consent: (
        "画像を見て、その説明文を評価していただきます。"
        "「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
        "回答、回答した時刻、ページを離れた回数と貼り付けた回数、"
        "およびコードを保存し、この形で公開することがあります。"
    ),
    IMAGE_CAPTIONS.instructions: (
        "まず画像を見て、それから説明文を読んでください。説明文が述べていることが画像に見えれば、合っています。"
        "説明文によって画像の見え方が変われば、何かを加えています。画像が好きかどうかは関係ありません。"
    ),
    "Captions": "説明文",
    "Caption": "説明文",
    "Fit": "適合",
    "Does the caption fit the picture?": "説明文は画像に合っていますか。",
    FIT_ENDS[0]: "合っていない",
    FIT_ENDS[1]: "完全に合っている",
    "Addition": "付加",
    "Does it say more than the picture shows?": "説明文は画像に見える以上のことを述べていますか。",
    MORE_ENDS[0]: "それ以上はない",
    MORE_ENDS[1]: "はるかに多い",
}
PROTOCOLS = (IMAGE_CAPTIONS,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
