"""What raters of the three probing tasks read, in Chinese and Japanese; quoted similes stay English."""

from __future__ import annotations

from annotation.protocols.probing import PROBING, PROBING_CATEGORIES, PROBING_SIMILES
from annotation.protocols.translations import common

CHINESE = {
    PROBING.title: "明喻的属性（探测任务）",
    PROBING.description: "为缺少属性的明喻从四个选项中选出正确的一个。",
    PROBING.consent: common.CHINESE_CONSENT.format(task="请您补全明喻。"),
    PROBING.instructions: "请选择最适合补全明喻的选项。每题只设一个正确答案。",
    "Property": "属性",
    "Which option belongs in the gap?": "空格处应填哪个选项？",
    "Simile": "明喻",
    "Options": "选项",
    **{f"option {number}": f"选项 {number}" for number in range(4)},
    "Not sure": "不确定",
    PROBING_SIMILES.title: "明喻及其成分（探测任务）",
    PROBING_SIMILES.description: "判断句子是否为明喻，并找出哪些词语是它的本体、属性、喻体和事件。",
    PROBING_SIMILES.consent: common.CHINESE_CONSENT.format(task="请您找出明喻及其成分。"),
    PROBING_SIMILES.instructions: (
        "明喻比较的是本不相同的事物。“My brother looks like our grandfather”比较的是两个人，不是明喻；"
        "“the fence leaned like a man listening”则是明喻。\n\n"
        "本体是句子所说的事物，喻体是用来与它相比的事物，事件是本体和喻体共有的动作或状态，"
        "属性是两者的共同点。请照抄句子中的词语。"
        "如果句子没有说出属性，属性一栏留空；如果除了“is”没有别的事件，事件一栏留空。"
    ),
    "Components": "比喻成分",
    "Sentence": "句子",
    "Is the sentence a simile?": "这个句子是明喻吗？",
    "Topic": "本体",
    "What is spoken of?": "句子说的是什么？",
    "What do both share, if the sentence says it?": "两者的共同点是什么？（句子说出时填写）",
    "Vehicle": "喻体",
    "What is it compared with?": "它被比作什么？",
    "Event": "事件",
    "What do both do, if anything?": "两者都做什么？（有则填写）",
    PROBING_CATEGORIES.title: "明喻属性的类别（探测任务）",
    PROBING_CATEGORIES.description: "从七个类别中选出明喻共有属性所属的类别，可多选。",
    PROBING_CATEGORIES.consent: common.CHINESE_CONSENT.format(task="请您为属性归类。"),
    PROBING_CATEGORIES.instructions: "请按照属性在明喻中的意思，选择所有符合的类别。",
    "Categories": "类别",
    "Category": "类别",
    "What kind of property is it? Choose all that hold.": "这是哪一类属性？请选择所有符合的类别。",
    "Quality": "品质",
    "of character or of make: brave, sturdy": "人的品性或物的质量：勇敢、结实",
    "Condition": "状态",
    "a state that passes: tired, empty": "暂时的状态：疲倦、空荡",
    "Sense": "感官",
    "felt, heard, smelled or tasted: rough, loud, sweet": "摸到、听到、闻到或尝到的：粗糙、响亮、甜",
    "Measurement": "度量",
    "of size, weight or number: tall, heavy": "大小、重量或数量：高、重",
    "Colour": "颜色",
    "a hue or a brightness: red, pale": "色调或明暗：红、浅淡",
    "Time": "时间",
    "of duration, speed or age: brief, old": "时长、速度或年岁：短暂、古老",
    "Emotion": "情感",
    "what somebody feels: glad, afraid": "人的感受：高兴、害怕",
}
JAPANESE = {
    PROBING.title: "直喩の属性（probing）",
    PROBING.description: "属性を空欄にした直喩に入るものを、4つの選択肢から選びます。正解は1つです。",
    PROBING.consent: common.JAPANESE_CONSENT.format(task="直喩を完成させていただきます。"),
    PROBING.instructions: (
        "直喩を完成させるのに最もふさわしい選択肢を選んでください。正解は1つだけ用意されています。"
    ),
    "Property": "属性",
    "Which option belongs in the gap?": "空欄に入るのはどの選択肢ですか。",
    "Simile": "直喩",
    "Options": "選択肢",
    **{f"option {number}": f"選択肢{number}" for number in range(4)},
    "Not sure": "わからない",
    PROBING_SIMILES.title: "直喩とその構成要素（probing）",
    PROBING_SIMILES.description: (
        "文が直喩かどうか、また、主題、属性、喩辞、事象にあたる語句はどれかを答えます。"
    ),
    PROBING_SIMILES.consent: common.JAPANESE_CONSENT.format(
        task="直喩とその構成要素を見つけていただきます。"
    ),
    PROBING_SIMILES.instructions: (
        "直喩は、本来似ていないものどうしを比べます。"
        "「My brother looks like our grandfather」は人と人を比べているだけなので、直喩ではありません。"
        "「the fence leaned like a man listening」は直喩です。\n\n"
        "主題は文が述べているもの、喩辞は主題をたとえるのに使われているもの、"
        "事象は主題と喩辞の両方に当てはまる動作や状態、属性は両者に共通する性質です。"
        "文の中の語句をそのまま書き写してください。"
        "文が属性を述べていないときは属性を、「is」以外に事象がないときは事象を、空欄のままにしてください。"
    ),
    "Components": "比喩の構成要素",
    "Sentence": "文",
    "Is the sentence a simile?": "この文は直喩ですか。",
    "Topic": "主題",
    "What is spoken of?": "何について述べていますか。",
    "What do both share, if the sentence says it?": "両者に共通する性質は何ですか（文に書かれている場合）。",
    "Vehicle": "喩辞",
    "What is it compared with?": "それは何にたとえられていますか。",
    "Event": "事象",
    "What do both do, if anything?": "両者がともにすることは何ですか（ある場合）。",
    PROBING_CATEGORIES.title: "直喩の属性のカテゴリー（probing）",
    PROBING_CATEGORIES.description: (
        "直喩で共有される属性のカテゴリーを、7つの中から選びます。複数選べます。"
    ),
    PROBING_CATEGORIES.consent: common.JAPANESE_CONSENT.format(task="属性を分類していただきます。"),
    PROBING_CATEGORIES.instructions: (
        "直喩の中での意味に照らして、属性に当てはまるカテゴリーをすべて選んでください。"
    ),
    "Categories": "カテゴリー",
    "Category": "カテゴリー",
    "What kind of property is it? Choose all that hold.": (
        "どのような属性ですか。当てはまるものをすべて選んでください。"
    ),
    "Quality": "性質",
    "of character or of make: brave, sturdy": "人柄や物の作り：勇敢な、頑丈な",
    "Condition": "状態",
    "a state that passes: tired, empty": "一時的な状態：疲れた、空っぽの",
    "Sense": "感覚",
    "felt, heard, smelled or tasted: rough, loud, sweet": (
        "触感、音、におい、味：ざらざらした、うるさい、甘い"
    ),
    "Measurement": "量",
    "of size, weight or number: tall, heavy": "大きさ、重さ、数：高い、重い",
    "Colour": "色",
    "a hue or a brightness: red, pale": "色合いや明るさ：赤い、淡い",
    "Time": "時間",
    "of duration, speed or age: brief, old": "長さ、速さ、古さ：短い間の、古い",
    "Emotion": "感情",
    "what somebody feels: glad, afraid": "人の気持ち：うれしい、怖い",
}
PROTOCOLS = (PROBING, PROBING_SIMILES, PROBING_CATEGORIES)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
