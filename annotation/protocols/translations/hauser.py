"""What raters of similes read, in Chinese and Japanese; quoted similes stay English."""

from __future__ import annotations

from annotation.protocols.hauser import CONSENT, HAUSER, INSTRUCTIONS

CHINESE = {
    HAUSER.title: "字面义句子的明喻（HAUSER）",
    HAUSER.description: "评价明喻的质量、新颖度和信息量，量表为 1 至 5。",
    "Everyday similes": "日常明喻",
    "Forty similes for eight literal sentences, rated on three criteria.": (
        "为八个字面义句子写的四十个明喻，按三个评分维度评分。"
    ),
    CONSENT: (
        "请您为明喻评分。您可以随时在“暂停”页面选择“退出研究”，无需说明理由；"
        "此前已保存的回答会保留在研究中，但不含您的姓名。\n\n"
        "我们会存储您的回答、作答时间、离开页面和粘贴的次数以及一个编号。"
        "这些数据用于研究，并可能以此形式发表。"
    ),
    INSTRUCTIONS: (
        "明喻说明一个事物像什么。在“The harbour went quiet like a theatre after the final bow”中，"
        "本体是 the harbour，喻体是 a theatre after the final bow，二者共有的事件是 going quiet。"
        "每页显示一个字面义句子和为它写的一个明喻。\n\n"
        "“质量”问的是比喻是否贴切：本体与喻体是否相配，明喻是否没有说出与句子矛盾的内容，"
        "是否保留了句子的情感。“新颖度”问的是比喻有多新颖。"
        "“信息量”问的是喻体告诉了您哪些句子本身没有的内容。"
        "三者互相独立：陈旧的明喻也可能非常贴切。\n\n"
        "请使用整个量表，并阅读您所选等级的说明。"
        "如果不了解更多情境就无法判断，请勾选“无法评分：上下文不足”。"
    ),
    "Similes": "明喻",
    "Literal sentence": "字面义句子",
    "Simile": "明喻",
    "Quality": "质量",
    "Does the comparison fit the sentence, in sense and in feeling?": "比喻在意义和情感上是否符合句子？",
    "Unusable": "不可用",
    "It contradicts the sentence or cannot be understood.": "与句子矛盾，或无法理解。",
    "Poor": "较差",
    "Related, but the logic or the feeling is wrong.": "有关联，但逻辑或情感不对。",
    "Acceptable": "可以接受",
    "Understandable; the fit or the tone is a little off.": "可以理解，但贴切程度或语气略有偏差。",
    "Good": "较好",
    "Fits in sense and in feeling; a word could be better.": "意义和情感都符合，个别用词可以更好。",
    "Excellent": "很好",
    "Fits in sense, logic and feeling; nothing to change.": "意义、逻辑和情感都符合，无需修改。",
    "Creativity": "新颖度",
    "How fresh is the comparison?": "这个比喻有多新颖？",
    "Stock": "老套",
    "You have met it many times in these words.": "您多次见过完全相同的说法。",
    "Familiar": "常见",
    "A common pairing, slightly reworded.": "常见的搭配，只是换了说法。",
    "Some freshness": "有些新意",
    "The pairing is known; the image is its own.": "搭配不新，但形象有自己的特点。",
    "Fresh": "新颖",
    "You did not expect it, and you would remember it.": "出乎您的意料，并会给您留下印象。",
    "Striking": "令人惊叹",
    "New to you, and it changes how you see the thing.": "前所未见，并改变了您对事物的看法。",
    "Informativeness": "信息量",
    "What does the vehicle tell you that the literal sentence does not?": (
        "喻体告诉了您哪些字面义句子没有的内容？"
    ),
    "Nothing": "没有",
    "It only decorates.": "只是修饰。",
    "A shade": "一点意味",
    "It adds a vague colour, nothing you could name.": "增添了模糊的色彩，但说不出具体内容。",
    "One detail": "一个细节",
    "It adds one thing you could name.": "增添了一点可以说明的内容。",
    "Several details": "多个细节",
    "You learn how it looks, sounds or feels.": "您能了解它的样子、声音或感觉。",
    "A scene": "一个场景",
    "Without it you would picture something else.": "没有它，您想象到的会完全不同。",
}
JAPANESE = {
    HAUSER.title: "字義通りの文に対する直喩（HAUSER）",
    HAUSER.description: "直喩の質、新しさ、情報量を、1～5の評定尺度で評価します。",
    "Everyday similes": "日常の直喩",
    "Forty similes for eight literal sentences, rated on three criteria.": (
        "8つの字義通りの文に対する40の直喩を、3つの評価観点で評価します。"
    ),
    CONSENT: (
        "直喩を評価していただきます。「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
        "それまでに保存した回答は、お名前なしで調査に残ります。\n\n"
        "回答、回答した時刻、ページを離れた回数と貼り付けた回数、およびコードを保存します。"
        "これらは研究に使用し、この形で公開することがあります。"
    ),
    INSTRUCTIONS: (
        "直喩は、あるものが何に似ているかを述べます。"
        "「The harbour went quiet like a theatre after the final bow」では、"
        "the harbour が主題、a theatre after the final bow が喩辞で、going quiet が両者に共通する事象です。"
        "各ページには、字義通りの文と、その文のために書かれた直喩が1つ表示されます。\n\n"
        "「質」では、たとえが合っているかを評価します。主題と喩辞が合うか、文と矛盾することを述べていないか、"
        "文の感情を保っているかが基準です。「新しさ」では、たとえがどのくらい新鮮かを評価します。"
        "「情報量」では、文だけではわからないことを喩辞がどのくらい伝えるかを評価します。"
        "3つは互いに独立しています。使い古された直喩でも、よく合うことがあります。\n\n"
        "評定尺度全体を使い、選ぶ段階の説明を読んでください。"
        "状況がもっとわからないと判断できないときは、「評価できない：文脈が足りない」を選択してください。"
    ),
    "Similes": "直喩",
    "Literal sentence": "字義通りの文",
    "Simile": "直喩",
    "Quality": "質",
    "Does the comparison fit the sentence, in sense and in feeling?": (
        "たとえは意味と感情の面で文に合っていますか。"
    ),
    "Unusable": "使えない",
    "It contradicts the sentence or cannot be understood.": "文と矛盾するか、理解できない。",
    "Poor": "悪い",
    "Related, but the logic or the feeling is wrong.": "関連はあるが、論理か感情が合わない。",
    "Acceptable": "許容できる",
    "Understandable; the fit or the tone is a little off.": "理解できるが、合い方か調子が少しずれている。",
    "Good": "良い",
    "Fits in sense and in feeling; a word could be better.": "意味と感情が合う。言葉を少し改善できる。",
    "Excellent": "とても良い",
    "Fits in sense, logic and feeling; nothing to change.": "意味、論理、感情が合う。直すところがない。",
    "Creativity": "新しさ",
    "How fresh is the comparison?": "このたとえはどのくらい新鮮ですか。",
    "Stock": "決まり文句",
    "You have met it many times in these words.": "同じ言い方を何度も見たことがある。",
    "Familiar": "よくある",
    "A common pairing, slightly reworded.": "よくある組み合わせを少し言い換えている。",
    "Some freshness": "少し新しい",
    "The pairing is known; the image is its own.": "組み合わせは知られているが、独自のイメージがある。",
    "Fresh": "新しい",
    "You did not expect it, and you would remember it.": "予想しなかったもので、記憶に残る。",
    "Striking": "際立って新しい",
    "New to you, and it changes how you see the thing.": "初めて見るもので、対象の見方が変わる。",
    "Informativeness": "情報量",
    "What does the vehicle tell you that the literal sentence does not?": (
        "字義通りの文にはないどのようなことを、喩辞は伝えていますか。"
    ),
    "Nothing": "なし",
    "It only decorates.": "飾っているだけである。",
    "A shade": "わずか",
    "It adds a vague colour, nothing you could name.": "あいまいな印象を加えるが、具体的には言えない。",
    "One detail": "1つの詳細",
    "It adds one thing you could name.": "具体的に言えることを1つ加える。",
    "Several details": "複数の詳細",
    "You learn how it looks, sounds or feels.": "見た目、音、感じがわかる。",
    "A scene": "情景",
    "Without it you would picture something else.": "これがなければ、別のものを思い浮かべる。",
}
PROTOCOLS = (HAUSER,)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
