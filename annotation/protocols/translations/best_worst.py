"""What raters who choose the best and the worst read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.comparing.best_worst import BEST_WORST_NOVELTY, OF_SET

CHINESE = {
    BEST_WORST_NOVELTY.title: "优劣尺度：新颖性",
    BEST_WORST_NOVELTY.description: "每组四个句子，评分者选出其中最新颖和最不新颖的一句。",
    BEST_WORST_NOVELTY.consent: (
        "请您比较一些短句，每次四句。您可以随时在“暂停”页面选择“退出研究”，无需说明理由。"
        "我们会存储您的回答、作答时间、句子的显示顺序、离开页面和粘贴的次数以及一个编号，"
        "并可能以此形式发表。"
    ),
    BEST_WORST_NOVELTY.instructions: (
        "如果句中的意象您从未见过，这句话就是新颖的。请在每组中把最新颖的一句选为最佳，"
        "把最不新颖的一句选为最差。您是否喜欢这句话、它是否属实，都不重要。"
        "即使两句难分高下，也请作出选择。"
    ),
    "Novelty": "新颖性",
    "Which sentence is the most novel (best), and which the least novel (worst)?": (
        "哪一句最新颖（最佳），哪一句最不新颖（最差）？"
    ),
    **{f"Sentence {letter.upper()}": f"句子 {letter.upper()}" for letter in OF_SET},
}
JAPANESE = {
    BEST_WORST_NOVELTY.title: "ベスト・ワースト：新しさ",
    BEST_WORST_NOVELTY.description: "4文ずつの組から、最も新しい文と最も新しくない文を選びます。",
    BEST_WORST_NOVELTY.consent: (
        "短い文を4つずつ比べていただきます。"
        "「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
        "回答、回答した時刻、文を表示した順序、ページを離れた回数と貼り付けた回数、"
        "およびコードを保存し、この形で公開することがあります。"
    ),
    BEST_WORST_NOVELTY.instructions: (
        "これまで見たことのない喩えを使っている文を、新しい文とします。"
        "それぞれの組で、最も新しい文をベスト、最も新しくない文をワーストとして選んでください。"
        "好きかどうか、内容が正しいかどうかは関係ありません。差がわずかなときも選んでください。"
    ),
    "Novelty": "新しさ",
    "Which sentence is the most novel (best), and which the least novel (worst)?": (
        "最も新しい文（ベスト）と、最も新しくない文（ワースト）はどれですか。"
    ),
    **{f"Sentence {letter.upper()}": f"文{letter.upper()}" for letter in OF_SET},
}
PROTOCOLS = (BEST_WORST_NOVELTY,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
