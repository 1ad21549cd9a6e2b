"""What raters who compare two sentences read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.comparing.adaptive_pairs import ADAPTIVE_PAIRS

CHINESE = {
    ADAPTIVE_PAIRS.title: "新颖性的自适应配对",
    ADAPTIVE_PAIRS.description: "成对的句子，在评分者作答期间选出次序尚未确定的配对。",
    ADAPTIVE_PAIRS.consent: (
        "请您比较一些短句，每次两句。您可以随时在“暂停”页面选择“退出研究”，无需说明理由。"
        "我们会存储您的回答、作答时间、每个句子显示在哪一侧、离开页面和粘贴的次数以及一个编号，"
        "并可能以此形式发表。"
    ),
    ADAPTIVE_PAIRS.instructions: (
        "如果句中的意象您从未见过，这句话就是新颖的。请从两句中选出更新颖的一句。"
        "您是否喜欢这句话、它是否属实，都不重要。即使两句难分高下，也请作出选择。"
    ),
    "Novelty": "新颖性",
    "One sentence": "其中一句",
    "Other sentence": "另一句",
    "More novel": "更新颖",
    "Which sentence is more novel?": "哪一句更新颖？",
    "the first sentence": "第一句",
    "the second sentence": "第二句",
}
JAPANESE = {
    ADAPTIVE_PAIRS.title: "適応的なペアによる新しさの比較",
    ADAPTIVE_PAIRS.description: "2文ずつの組のうち、順序がまだ決まらないものを選んで比べます。",
    ADAPTIVE_PAIRS.consent: (
        "短い文を2つずつ比べていただきます。"
        "「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
        "回答、回答した時刻、それぞれの文を左右どちらに表示したか、ページを離れた回数と貼り付けた回数、"
        "およびコードを保存し、この形で公開することがあります。"
    ),
    ADAPTIVE_PAIRS.instructions: (
        "これまで見たことのない喩えを使っている文を、新しい文とします。"
        "2つの文のうち、より新しいほうを選んでください。"
        "好きかどうか、内容が正しいかどうかは関係ありません。差がわずかなときも選んでください。"
    ),
    "Novelty": "新しさ",
    "One sentence": "一方の文",
    "Other sentence": "もう一方の文",
    "More novel": "より新しい文",
    "Which sentence is more novel?": "より新しいのはどちらの文ですか。",
    "the first sentence": "1つ目の文",
    "the second sentence": "2つ目の文",
}
PROTOCOLS = (ADAPTIVE_PAIRS,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
