"""What raters of stories read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.stories.hanna import HANNA

CHINESE = {
    HANNA.title: "根据提示写的故事（HANNA）",
    HANNA.description: "评价故事的相关性、连贯性、共情、意外性、吸引力和复杂性，量表为 1 至 5。",
    HANNA.consent: (
        "请您为短篇故事评分。您可以随时在“暂停”页面选择“退出研究”，无需说明理由。\n\n"
        "我们会存储您的回答、作答时间、离开页面和粘贴的次数以及一个编号。"
        "这些数据用于研究，并可能以此形式发表。"
    ),
    HANNA.content_warning: "部分故事写到暴力、死亡或其他可能令人不适的内容。",
    HANNA.instructions: (
        "每页显示一条写作提示和一篇据此写成的故事。请先读完整篇故事，再回答关于它的六个问题。"
        "这些问题互相独立：故事可能写得很好，却与提示没有多大关系。"
        "请使用整个量表，并阅读您所选等级的说明。"
    ),
    "Stories": "故事",
    "Prompt": "写作提示",
    "Story": "故事",
    "For comparison, a story by a human writer; it is not rated here": ("供对照：由人写的故事，在此不评分"),
    "Not at all": "一点也不",
    "Slightly": "略微",
    "Partly": "部分",
    "Mostly": "大体上",
    "Fully": "完全",
    "Relevance": "相关性",
    "How closely does the story follow its prompt?": "故事与写作提示有多契合？",
    "It could have been written for any other prompt.": "换成任何别的提示，也可能写出这篇故事。",
    "One detail recalls the prompt.": "有一处细节让人想起提示。",
    "The prompt is there, beside much else.": "写到了提示的内容，但也有很多别的内容。",
    "It follows the prompt, with a digression.": "遵循了提示，但有一处跑题。",
    "Everything in it answers the prompt.": "全篇都在回应提示。",
    "Coherence": "连贯性",
    "How well do the parts of the story fit together?": "故事的各个部分衔接得有多好？",
    "Sentences follow one another without a connection.": "句子一句接一句，彼此没有联系。",
    "A thread can be guessed, and is often lost.": "能猜出一条线索，但它经常中断。",
    "The thread holds in places; some turns make no sense.": "有些地方线索清楚，有些转折说不通。",
    "It holds together but for a detail.": "除了一处细节，前后连贯。",
    "Every part has its place.": "每个部分都各得其所。",
    "Empathy": "共情",
    "How well could you feel with the characters?": "您在多大程度上能对人物感同身受？",
    "Nobody in it feels anything you could share.": "没有哪个人物的感受能引起您的共鸣。",
    "A feeling is named, not conveyed.": "提到了某种感受，但没有传达出来。",
    "You understand what somebody feels.": "您能理解某个人物的感受。",
    "You feel with somebody in parts of the story.": "读到某些部分时，您能对某个人物感同身受。",
    "You feel with the characters throughout.": "您自始至终都能对人物感同身受。",
    "Surprise": "意外性",
    "How much did the ending surprise you?": "结局在多大程度上出乎您的意料？",
    "You knew it from the beginning, or there is no ending.": "您从一开始就知道，或者故事没有结局。",
    "You saw it coming early.": "您很早就料到了。",
    "You saw it coming about half way.": "您读到一半左右时料到了。",
    "You did not see it coming, and it is plausible or nearly so.": "您没有料到，而结局合情合理或大致合理。",
    "You did not see it coming, and it could not be otherwise.": "您没有料到，而读后觉得非如此不可。",
    "Engagement": "吸引力",
    "How much did the story draw you in?": "故事在多大程度上吸引了您？",
    "You read on because you had to.": "您往下读只是因为必须读。",
    "A sentence caught you.": "有一句话吸引了您。",
    "You wanted to know how it goes on, in places.": "在某些地方，您想知道接下来会怎样。",
    "You wanted to know how it ends.": "您想知道结局如何。",
    "You forgot that you were rating.": "您忘了自己是在评分。",
    "Complexity": "复杂性",
    "How elaborate is the story?": "故事有多丰富？",
    "One plain event, without setting or character.": "只有一件简单的事，没有背景，也没有人物。",
    "A setting or a character, nothing more.": "有背景或有人物，仅此而已。",
    "A simple plot with somebody in it.": "情节简单，其中有人物。",
    "A plot with several steps, or characters who differ.": "情节有多个阶段，或人物各有不同。",
    "A whole world: plot, setting and characters worked out.": "一个完整的世界：情节、背景和人物都刻画充分。",
    "Who is the first character that the story names? Write the name, or “None”.": (
        "故事中第一个有名字的人物是谁？请写下名字；如果没有，请写“None”。"
    ),
}
JAPANESE = {
    HANNA.title: "プロンプトに対する物語（HANNA）",
    HANNA.description: (
        "物語の関連性、一貫性、共感、意外性、引き込む力、複雑さを、1～5の評定尺度で評価します。"
    ),
    HANNA.consent: (
        "短い物語を評価していただきます。"
        "「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。\n\n"
        "回答、回答した時刻、ページを離れた回数と貼り付けた回数、およびコードを保存します。"
        "これらは研究に使用し、この形で公開することがあります。"
    ),
    HANNA.content_warning: (
        "物語の中には、暴力や死など、読んでつらくなるおそれのある内容を含むものがあります。"
    ),
    HANNA.instructions: (
        "各ページには、プロンプト（お題）と、それに沿って書かれた物語が表示されます。"
        "まず物語を最後まで読み、それから6つの質問に答えてください。"
        "質問は互いに独立しています。よく書けた物語でも、プロンプトとはあまり関係がないことがあります。"
        "評定尺度全体を使い、選ぶ段階の説明を読んでください。"
    ),
    "Stories": "物語",
    "Prompt": "プロンプト",
    "Story": "物語",
    "For comparison, a story by a human writer; it is not rated here": (
        "比較のために示す、人が書いた物語（ここでは評価しません）"
    ),
    "Not at all": "まったくない",
    "Slightly": "わずかに",
    "Partly": "部分的に",
    "Mostly": "おおむね",
    "Fully": "完全に",
    "Relevance": "関連性",
    "How closely does the story follow its prompt?": "物語はどのくらいプロンプトに沿っていますか。",
    "It could have been written for any other prompt.": (
        "ほかのどのプロンプトに対しても書かれえた物語である。"
    ),
    "One detail recalls the prompt.": "プロンプトを思わせる細部が1つある。",
    "The prompt is there, beside much else.": "プロンプトの内容はあるが、ほかのことも多い。",
    "It follows the prompt, with a digression.": "プロンプトに沿っているが、脱線がある。",
    "Everything in it answers the prompt.": "すべてがプロンプトに応えている。",
    "Coherence": "一貫性",
    "How well do the parts of the story fit together?": "物語の各部分はどのくらいうまくつながっていますか。",
    "Sentences follow one another without a connection.": "文がつながりのないまま並んでいる。",
    "A thread can be guessed, and is often lost.": "筋は推測できるが、たびたび見失われる。",
    "The thread holds in places; some turns make no sense.": (
        "筋の通る箇所もあるが、意味の通らない展開もある。"
    ),
    "It holds together but for a detail.": "1つの細部を除けば、まとまっている。",
    "Every part has its place.": "どの部分にも、そこにある意味がある。",
    "Empathy": "共感",
    "How well could you feel with the characters?": "登場人物の気持ちにどのくらい共感できましたか。",
    "Nobody in it feels anything you could share.": "共感できるような気持ちの人物がいない。",
    "A feeling is named, not conveyed.": "気持ちは書かれているが、伝わってこない。",
    "You understand what somebody feels.": "ある人物の気持ちが理解できる。",
    "You feel with somebody in parts of the story.": "物語のところどころで、ある人物に共感する。",
    "You feel with the characters throughout.": "物語を通して、登場人物に共感する。",
    "Surprise": "意外性",
    "How much did the ending surprise you?": "結末はどのくらい意外でしたか。",
    "You knew it from the beginning, or there is no ending.": "初めからわかっていた、または結末がない。",
    "You saw it coming early.": "早いうちに予想がついた。",
    "You saw it coming about half way.": "半ばあたりで予想がついた。",
    "You did not see it coming, and it is plausible or nearly so.": (
        "予想しなかったが、納得できる、またはほぼ納得できる。"
    ),
    "You did not see it coming, and it could not be otherwise.": (
        "予想しなかったが、これ以外の結末は考えられない。"
    ),
    "Engagement": "引き込む力",
    "How much did the story draw you in?": "物語にどのくらい引き込まれましたか。",
    "You read on because you had to.": "読まなければならないので読んだ。",
    "A sentence caught you.": "心をとらえる文が1つあった。",
    "You wanted to know how it goes on, in places.": "ところどころで、続きが知りたくなった。",
    "You wanted to know how it ends.": "結末が知りたくなった。",
    "You forgot that you were rating.": "評価していることを忘れた。",
    "Complexity": "複雑さ",
    "How elaborate is the story?": "物語はどのくらい作り込まれていますか。",
    "One plain event, without setting or character.": "単純な出来事が1つあるだけで、舞台も人物もない。",
    "A setting or a character, nothing more.": "舞台か人物があるだけである。",
    "A simple plot with somebody in it.": "人物がいて、筋は単純である。",
    "A plot with several steps, or characters who differ.": (
        "筋がいくつかの段階を経る、または人物が描き分けられている。"
    ),
    "A whole world: plot, setting and characters worked out.": (
        "筋、舞台、人物が作り込まれた、1つの世界である。"
    ),
    "Who is the first character that the story names? Write the name, or “None”.": (
        "物語の中で最初に名前が出てくる人物は誰ですか。名前を書いてください。いなければ「None」と書いてください。"
    ),
}
PROTOCOLS = (HANNA,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
