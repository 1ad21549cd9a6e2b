"""What raters of Chinese metaphors read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.cmdag import CMDAG, CMDAG_PRELIMINARY, CMDAG_REFINED, CMDAG_STAGES
from annotation.protocols.translations import common

CHINESE_SECOND_STAGE = (
    "您会看到其他人此前在句子中找到的内容，请更正并补全。每一组包括本体、喻体和喻意。"
    "请在句子中标出本体和喻体；句子没有说出的本体可以空着。"
    "一个句子可能有多组，两个并列的隐喻就是两组。\n\n"
    "喻意由形容词和名词组成，如“清脆的声音”。“样子”“特征”“特点”“感受”“感觉”等名词含义空泛，请尽量避免。"
    "如果没有隐喻，请选择“否”，不必填写任何一组。"
)
JAPANESE_SECOND_STAGE = (
    "ほかの人がすでにこの文で見つけたものが表示されます。それを訂正し、足りないものを補ってください。"
    "それぞれの組は、被喩辞、喩辞、根拠からなります。被喩辞と喩辞は、文の中で印を付けてください。"
    "文に現れない被喩辞は空けておきます。"
    "1つの文に複数の組があることもあります。並んだ2つの隠喩は2つの組になります。\n\n"
    "根拠は、「清脆的声音」のように形容詞と名詞で書きます。"
    "「样子」「特征」「特点」「感受」「感觉」のように内容の乏しい名詞は、なるべく避けてください。"
    "隠喩がないときは「いいえ」を選び、組は書かないでください。"
)
CHINESE = {
    "In English": "英文",
    "Metaphors": "隐喻",
    "Metaphor": "隐喻",
    "First stage": "第一阶段",
    "Second stage": "第二阶段",
    "Sentence": "句子",
    CMDAG.title: "生成的隐喻（CMDAG）",
    CMDAG.description: "先判断是否合理，再评价清晰度、新颖度、表达的地道程度和总分，量表为 1 至 3。",
    CMDAG.consent: common.CHINESE_CONSENT.format(task="请您为隐喻评分。"),
    CMDAG.instructions: (
        "请以文学读者的眼光评价每个隐喻，而不是像批改作业那样挑错。"
        "请先判断它究竟是不是合理的隐喻：能否看出把什么比作什么，以及为什么这样比。"
        "只有合理的隐喻才需要评分。"
    ),
    "Reasonable": "合理性",
    "Is it a reasonable metaphor?": "这是合理的隐喻吗？",
    "Clarity": "清晰度",
    "Is it clear what is compared?": "能看清楚把什么比作什么吗？",
    "unclear": "不清楚",
    "guessable": "可以猜到",
    "clear": "清楚",
    "Creativity": "新颖度",
    "Is the comparison fresh?": "这个比喻新颖吗？",
    "worn": "陈旧",
    "known": "常见",
    "fresh": "新颖",
    "Authentic expression": "表达的地道程度",
    "Could a writer have put it so?": "作家会这样写吗？",
    "no": "不会",
    "nearly": "差不多",
    "yes": "会",
    "Final score": "总分",
    "How good is it as a whole?": "总的来说，它有多好？",
    "poor": "较差",
    "fair": "一般",
    "good": "较好",
    CMDAG_PRELIMINARY.title: "中文句子中的隐喻，第一阶段（CMDAG）",
    CMDAG_PRELIMINARY.description: "判断句子是否含有真正的隐喻，并找出可能的本体和喻体。",
    CMDAG_PRELIMINARY.consent: common.CHINESE_CONSENT.format(task="请您找出隐喻。"),
    CMDAG_PRELIMINARY.instructions: (
        "请判断句子是否把一个事物当作另一个事物来说。"
        "如果是，请写下可能的本体（所说的事物）和喻体（用来打比方的事物）。有多个时，请用“；”隔开。"
    ),
    "Does the sentence hold a genuine metaphor?": "句子中有真正的隐喻吗？",
    "Tenors": "本体",
    "What is spoken of?": "说的是什么？",
    "Vehicles": "喻体",
    "What is it spoken of as?": "把它比作什么？",
    CMDAG_REFINED.title: "中文句子中的本体、喻体和喻意，第二阶段（CMDAG）",
    CMDAG_REFINED.description: "根据此前的回答，补全句子中由本体、喻体和喻意构成的组。",
    CMDAG_REFINED.consent: common.CHINESE_CONSENT.format(task="请您补全隐喻的标注。"),
    CMDAG_REFINED.instructions: CHINESE_SECOND_STAGE,
    "Before it": "上文",
    "After it": "下文",
    "Found before": "此前找到的内容",
    "Tuples": "组",
    "What is spoken of as what, and on what ground?": "把什么比作什么？喻意是什么？",
    "Tenor": "本体",
    "what the metaphor is about": "隐喻所说的事物",
    "Vehicle": "喻体",
    "what it is compared with": "用来打比方的事物",
    "Ground": "喻意",
    "what both share: adjective and noun": "两者的共同点：形容词加名词",
    CMDAG_STAGES.title: "中文句子中的隐喻，两个阶段（CMDAG）",
    CMDAG_STAGES.description: (
        "先由两人判断句子是否含有隐喻，并找出可能的本体和喻体。"
        "如果两人都认为有隐喻，再由另外三人补全由本体、喻体和喻意构成的组。"
    ),
    CMDAG_STAGES.consent: common.CHINESE_CONSENT.format(task="请您标注隐喻。"),
    CMDAG_STAGES.instructions: (
        "页面有两种，由不同的人完成。\n\n"
        "第一阶段的页面：请判断句子是否把一个事物当作另一个事物来说。"
        "如果是，请在句子中标出可能的本体（所说的事物）和喻体（用来打比方的事物）；"
        "句子没有说出的本体可以空着。\n\n"
        f"第二阶段的页面：{CHINESE_SECOND_STAGE}"
    ),
    "Possible tuples": "可能的组",
    "What may be spoken of as what?": "可能是把什么比作什么？",
}
JAPANESE = {
    "In English": "英語訳",
    "Metaphors": "隠喩",
    "Metaphor": "隠喩",
    "First stage": "第1ステージ",
    "Second stage": "第2ステージ",
    "Sentence": "文",
    CMDAG.title: "生成された隠喩（CMDAG）",
    CMDAG.description: (
        "妥当かどうかを判断し、妥当なら明瞭さ、新しさ、表現の自然さ、総合点を1～3の評定尺度で評価します。"
    ),
    CMDAG.consent: common.JAPANESE_CONSENT.format(task="隠喩を評価していただきます。"),
    CMDAG.instructions: (
        "添削する人としてではなく、文学の読者として、それぞれの隠喩を評価してください。"
        "まず、そもそも隠喩として妥当かどうか、つまり、"
        "何が何にたとえられ、なぜそうたとえられるのかを読み取れるかどうかを判断してください。"
        "評価するのは妥当なものだけです。"
    ),
    "Reasonable": "妥当性",
    "Is it a reasonable metaphor?": "隠喩として妥当ですか。",
    "Clarity": "明瞭さ",
    "Is it clear what is compared?": "何が何にたとえられているかは明瞭ですか。",
    "unclear": "不明瞭",
    "guessable": "推測できる",
    "clear": "明瞭",
    "Creativity": "新しさ",
    "Is the comparison fresh?": "たとえは新鮮ですか。",
    "worn": "使い古されている",
    "known": "知られている",
    "fresh": "新鮮",
    "Authentic expression": "表現の自然さ",
    "Could a writer have put it so?": "作家が書いた表現として通用しますか。",
    "no": "通用しない",
    "nearly": "もう少し",
    "yes": "通用する",
    "Final score": "総合点",
    "How good is it as a whole?": "全体としてどのくらい良いですか。",
    "poor": "悪い",
    "fair": "普通",
    "good": "良い",
    CMDAG_PRELIMINARY.title: "中国語文の隠喩、第1ステージ（CMDAG）",
    CMDAG_PRELIMINARY.description: "文に本当の隠喩が含まれるかどうかと、考えられる被喩辞と喩辞を答えます。",
    CMDAG_PRELIMINARY.consent: common.JAPANESE_CONSENT.format(task="隠喩を見つけていただきます。"),
    CMDAG_PRELIMINARY.instructions: (
        "文が、あるものを別のものとして述べているかどうかを判断してください。"
        "そうである場合は、考えられる被喩辞（述べられているもの）と喩辞（たとえに使われているもの）を書いてください。"
        "複数あるときは、「；」で区切ってください。"
    ),
    "Does the sentence hold a genuine metaphor?": "文に本当の隠喩が含まれていますか。",
    "Tenors": "被喩辞",
    "What is spoken of?": "何について述べていますか。",
    "Vehicles": "喩辞",
    "What is it spoken of as?": "何にたとえていますか。",
    CMDAG_REFINED.title: "中国語文の被喩辞・喩辞・根拠、第2ステージ（CMDAG）",
    CMDAG_REFINED.description: "先の回答をもとに、文の被喩辞・喩辞・根拠の組を完成させます。",
    CMDAG_REFINED.consent: common.JAPANESE_CONSENT.format(
        task="隠喩のアノテーションを完成させていただきます。"
    ),
    CMDAG_REFINED.instructions: JAPANESE_SECOND_STAGE,
    "Before it": "前の文脈",
    "After it": "後の文脈",
    "Found before": "先に見つかったもの",
    "Tuples": "組",
    "What is spoken of as what, and on what ground?": "何が何にたとえられ、その根拠は何ですか。",
    "Tenor": "被喩辞",
    "what the metaphor is about": "隠喩が述べているもの",
    "Vehicle": "喩辞",
    "what it is compared with": "たとえに使われているもの",
    "Ground": "根拠",
    "what both share: adjective and noun": "両者に共通すること：形容詞と名詞",
    CMDAG_STAGES.title: "中国語文の隠喩、2ステージ（CMDAG）",
    CMDAG_STAGES.description: (
        "まず2人が、文に隠喩が含まれるかどうかを判断し、考えられる被喩辞と喩辞を見つけます。"
        "2人とも隠喩があると判断した場合、別の3人が被喩辞・喩辞・根拠の組を完成させます。"
    ),
    CMDAG_STAGES.consent: common.JAPANESE_CONSENT.format(task="隠喩のアノテーションをしていただきます。"),
    CMDAG_STAGES.instructions: (
        "ページは2種類あり、別々の人が担当します。\n\n"
        "第1ステージのページでは、文が、あるものを別のものとして述べているかどうかを判断してください。"
        "そうである場合は、考えられる被喩辞（述べられているもの）と"
        "喩辞（たとえに使われているもの）に印を付けてください。"
        "文に現れない被喩辞は空けておきます。\n\n"
        f"第2ステージのページ：{JAPANESE_SECOND_STAGE}"
    ),
    "Possible tuples": "考えられる組",
    "What may be spoken of as what?": "何が何にたとえられていると考えられますか。",
}
PROTOCOLS = (CMDAG_PRELIMINARY, CMDAG_REFINED, CMDAG_STAGES, CMDAG)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
