"""What raters who test stories read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.stories.creativity_tests import CREATIVITY_TESTS

CHINESE = {
    CREATIVITY_TESTS.title: "故事的创造力测试",
    CREATIVITY_TESTS.description: "十四道是非题，考察流畅性、灵活性、独创性和精细性。",
    CREATIVITY_TESTS.consent: (
        "请您阅读短篇故事，并就每篇故事用“是”或“否”回答十四个问题。"
        "您可以随时在“暂停”页面选择“退出研究”，无需说明理由。"
        "我们会存储您的回答、作答时间、离开页面和粘贴的次数以及一个编号，并可能以此形式发表。"
    ),
    CREATIVITY_TESTS.instructions: (
        "请先读完整篇故事，再分别回答每个问题：一篇故事可能通过这一项，却通不过下一项。"
        "只有能在故事中指出相应的地方时，才回答“是”。"
    ),
    "Creativity tests": "创造力测试",
    "Prompt": "写作提示",
    "Story": "故事",
    "Yes": "是",
    "No": "否",
    "Pace": "节奏",
    "Does the story take its time where it matters and pass quickly over the rest?": (
        "故事是否在重要之处从容展开，而对其余部分一带而过？"
    ),
    "Scenes and summary": "场景与概述",
    "Is there a good balance of what is shown in scenes and what is summarised?": (
        "用场景呈现的内容与概括叙述的内容是否平衡得当？"
    ),
    "Figures of speech": "意象与修辞",
    "Are its images and figures of speech apt, neither worn nor overdone?": (
        "其中的意象和修辞是否贴切，既不陈旧也不过火？"
    ),
    "Ending": "结局",
    "Does the ending follow from the story, so that it does not merely break off?": (
        "结局是否由故事自然引出，而不只是戛然而止？"
    ),
    "Coherence": "连贯性",
    "Do the parts make a whole that you can follow?": "各个部分是否构成一个您能读懂的整体？",
    "Perspectives": "视角",
    "Does the story make you see the world as its characters do, likeable or not?": (
        "无论人物是否讨人喜欢，故事是否让您以他们的眼光看世界？"
    ),
    "Events and feelings": "事件与感受",
    "Is there a good balance of what happens and what is felt?": "发生的事与人物的感受是否平衡得当？",
    "Turns": "转折",
    "Is there a turn that surprises and is still believable?": "是否有出人意料而又可信的转折？",
    "Theme": "主题",
    "Would a well-read person find an idea in it that is new to them?": (
        "博览群书的人能否从中读到自己从未想过的东西？"
    ),
    "No clichés": "不落俗套",
    "Is the story free of clichés?": "故事是否不落俗套？",
    "Form": "形式",
    "Is there something unusual in how the story is told?": "故事的讲述方式是否有不寻常之处？",
    "World": "世界",
    "Can you see, hear or feel the place where it happens?": "您能否看到、听到或感受到故事发生的地方？",
    "Characters": "人物",
    "Has each character as much depth as the story needs?": "每个人物是否都具有故事所需的深度？",
    "Subtext": "言外之意",
    "Is there something important that is not said and can be felt?": (
        "是否有重要的东西没有明说，却能让人感受到？"
    ),
}
JAPANESE = {
    CREATIVITY_TESTS.title: "物語の創造性テスト",
    CREATIVITY_TESTS.description: "流暢性、柔軟性、独創性、綿密性を調べる14の「はい・いいえ」のテストです。",
    CREATIVITY_TESTS.consent: (
        "短い物語を読み、それぞれについて14の質問に「はい」か「いいえ」で答えていただきます。"
        "「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
        "回答、回答した時刻、ページを離れた回数と貼り付けた回数、およびコードを保存し、"
        "この形で公開することがあります。"
    ),
    CREATIVITY_TESTS.instructions: (
        "まず物語を最後まで読み、それから質問に1つずつ答えてください。"
        "あるテストに合格した物語が、次のテストには合格しないこともあります。"
        "物語の中の該当する箇所を示せるときだけ、「はい」と答えてください。"
    ),
    "Creativity tests": "創造性テスト",
    "Prompt": "プロンプト",
    "Story": "物語",
    "Yes": "はい",
    "No": "いいえ",
    "Pace": "テンポ",
    "Does the story take its time where it matters and pass quickly over the rest?": (
        "大事なところでは時間をかけ、ほかは手早く進めていますか。"
    ),
    "Scenes and summary": "場面と要約",
    "Is there a good balance of what is shown in scenes and what is summarised?": (
        "場面として見せる部分と要約する部分の釣り合いはとれていますか。"
    ),
    "Figures of speech": "イメージと修辞",
    "Are its images and figures of speech apt, neither worn nor overdone?": (
        "イメージや修辞は適切で、陳腐でも大げさでもありませんか。"
    ),
    "Ending": "結末",
    "Does the ending follow from the story, so that it does not merely break off?": (
        "結末は、ただ途切れるのではなく、物語の流れから導かれていますか。"
    ),
    "Coherence": "一貫性",
    "Do the parts make a whole that you can follow?": "各部分は、筋を追える1つのまとまりになっていますか。",
    "Perspectives": "視点",
    "Does the story make you see the world as its characters do, likeable or not?": (
        "登場人物に好感が持てるかどうかにかかわらず、その目で世界を見ることができますか。"
    ),
    "Events and feelings": "出来事と感情",
    "Is there a good balance of what happens and what is felt?": (
        "起こることと感じられることの釣り合いはとれていますか。"
    ),
    "Turns": "展開",
    "Is there a turn that surprises and is still believable?": "意外でありながら納得できる展開はありますか。",
    "Theme": "主題",
    "Would a well-read person find an idea in it that is new to them?": (
        "多くの本を読んできた人でも、初めて出会う考えが見つかりますか。"
    ),
    "No clichés": "紋切り型のなさ",
    "Is the story free of clichés?": "紋切り型に頼らずに書かれていますか。",
    "Form": "形式",
    "Is there something unusual in how the story is told?": "語り方に普通とは違うところがありますか。",
    "World": "世界",
    "Can you see, hear or feel the place where it happens?": (
        "物語の舞台を見たり、聞いたり、感じたりできますか。"
    ),
    "Characters": "登場人物",
    "Has each character as much depth as the story needs?": (
        "どの登場人物にも、物語に必要なだけの深みがありますか。"
    ),
    "Subtext": "言外の意味",
    "Is there something important that is not said and can be felt?": (
        "書かれてはいないが感じ取れる、大事なことはありますか。"
    ),
}
PROTOCOLS = (CREATIVITY_TESTS,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
