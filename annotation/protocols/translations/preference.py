"""What raters who choose between two read, in Chinese and Japanese."""

from __future__ import annotations

from annotation.protocols.preference import PREFERENCE, PREFERENCE_TIES

CHINESE = {
    PREFERENCE.title: "二选一偏好",
    PREFERENCE_TIES.title: "二选一偏好，允许持平",
    PREFERENCE.description: "两个表达并排显示，请选择您更愿意使用的一个。",
    PREFERENCE.consent: (
        "请您在两个表达之间作出选择。您可以随时在“暂停”页面选择“退出研究”，无需说明理由。"
        "我们会存储您的回答、作答时间、每个表达显示在哪一侧、离开页面和粘贴的次数以及一个编号，"
        "并可能以此形式发表。"
    ),
    PREFERENCE.instructions: ("请选择您更愿意使用的一个，不论它是不是比喻。即使两者难分高下，也请选出一个。"),
    PREFERENCE_TIES.instructions: (
        "请选择您更愿意使用的一个，不论它是不是比喻。如果两者对您来说一样，请选择“无偏好”。"
    ),
    "Preference": "偏好",
    "Which of the two would you rather use?": "您更愿意使用哪一个？",
    "One": "其中一个",
    "Other": "另一个",
    "the first": "第一个",
    "the second": "第二个",
    "No preference": "无偏好",
}
JAPANESE = {
    PREFERENCE.title: "2つの比較",
    PREFERENCE_TIES.title: "2つの比較、引き分けあり",
    PREFERENCE.description: "並べて表示される2つの表現から、使いたいほうを選びます。",
    PREFERENCE.consent: (
        "2つの表現のどちらかを選んでいただきます。"
        "「中断」ページの「参加の取りやめ」から、理由を述べずにいつでもやめられます。"
        "回答、回答した時刻、それぞれの表現を左右どちらに表示したか、ページを離れた回数と貼り付けた回数、"
        "およびコードを保存し、この形で公開することがあります。"
    ),
    PREFERENCE.instructions: (
        "比喩かどうかにかかわらず、自分で使うならこちらだと思うほうを選んでください。"
        "差がわずかなときも、どちらか一方を選んでください。"
    ),
    PREFERENCE_TIES.instructions: (
        "比喩かどうかにかかわらず、自分で使うならこちらだと思うほうを選んでください。"
        "どちらとも言えないときは、「どちらでもよい」を選んでください。"
    ),
    "Preference": "好み",
    "Which of the two would you rather use?": "どちらを使いたいですか。",
    "One": "一方",
    "Other": "もう一方",
    "the first": "1つ目",
    "the second": "2つ目",
    "No preference": "どちらでもよい",
}
PROTOCOLS = (PREFERENCE, PREFERENCE_TIES)
TRANSLATIONS = {"zh-hans": CHINESE, "ja": JAPANESE}
