"""What raters who compare two stories read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.comparing.story_pairs import STORY_PAIRS

CHINESE = {
    STORY_PAIRS.title: "同一提示的两篇故事",
    STORY_PAIRS.description: "两篇故事并排显示。评分者选出较好的一篇，并可以说明理由。",
    STORY_PAIRS.consent: (
        "请您比较一些短篇故事，每次两篇。您可以随时在“暂停”页面选择“退出研究”，无需说明理由。"
        "我们会存储您的回答、作答时间、每篇故事显示在哪一侧、离开页面和粘贴的次数以及一个编号，"
        "并可能以此形式发表。"
    ),
    STORY_PAIRS.instructions: (
        "两篇故事是根据同一条提示写成的。请把两篇都读完，然后选出您更希望是自己写的那一篇。"
        "只有再看一遍仍无法决定时，才选择“不相上下”。您可以用几个词说明是什么让您作出了选择。"
    ),
    "Two stories": "两篇故事",
    "Prompt": "写作提示",
    "One story": "其中一篇",
    "Other story": "另一篇",
    "Better story": "较好的故事",
    "Which story would you rather have written?": "您更希望哪一篇是自己写的？",
    "the first story": "第一篇故事",
    "the second story": "第二篇故事",
    "About equal": "不相上下",
    "Reason": "理由",
    "What decided it?": "是什么让您作出了选择？",
}
JAPANESE = {
    STORY_PAIRS.title: "1つのプロンプトに対する2つの物語",
    STORY_PAIRS.description: "2つの物語が並べて表示されます。よいほうを選び、理由を書くこともできます。",
    STORY_PAIRS.consent: (
        "短い物語を2つずつ比べていただきます。"
        "「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
        "回答、回答した時刻、それぞれの物語を左右どちらに表示したか、ページを離れた回数と貼り付けた回数、"
        "およびコードを保存し、この形で公開することがあります。"
    ),
    STORY_PAIRS.instructions: (
        "2つの物語は、同じプロンプト（お題）に沿って書かれています。どちらも最後まで読み、"
        "自分が書いたのならよかったと思うほうを選んでください。"
        "もう一度見ても決められないときだけ、「ほぼ同じ」を選んでください。"
        "決め手を短い言葉で書いてもかまいません。"
    ),
    "Two stories": "2つの物語",
    "Prompt": "プロンプト",
    "One story": "一方の物語",
    "Other story": "もう一方の物語",
    "Better story": "よいほうの物語",
    "Which story would you rather have written?": "自分が書いたのならよかったと思うのはどちらですか。",
    "the first story": "1つ目の物語",
    "the second story": "2つ目の物語",
    "About equal": "ほぼ同じ",
    "Reason": "理由",
    "What decided it?": "決め手は何でしたか。",
}
PROTOCOLS = (STORY_PAIRS,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
