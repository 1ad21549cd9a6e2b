"""Texts of several protocols in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.template import DEMO_MARK

CHINESE_CONSENT = (
    "{task}您可以随时在“暂停”页面选择“退出研究”，无需说明理由。"
    "我们会存储您的回答、作答时间、离开页面和粘贴的次数以及一个编号，并可能以此形式发表。"
)
JAPANESE_CONSENT = (
    "{task}「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
    "回答、回答した時刻、ページを離れた回数と貼り付けた回数、およびコードを保存し、"
    "この形で公開することがあります。"
)
CHINESE = {
    "Yes": "是",
    "No": "否",
    "Question": "问题",
    DEMO_MARK: "演示材料：Groundwork 自带的条目，用于试用此方案。",
}
JAPANESE = {
    "Yes": "はい",
    "No": "いいえ",
    "Question": "質問",
    DEMO_MARK: "デモ用の素材：この評価プロトコルを試すための、Groundworkに付属するアイテムです。",
}
