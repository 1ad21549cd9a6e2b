"""Figures printed in Miyazawa & Miyao (IWCS 2017)."""

from __future__ import annotations

# Expression, rank and score of the rows of Tables 1 to 4.
TABLES = {
    ("Table 1", "metaphoricity"): (
        ("kotoba | X ga huttou-suru", "1", "3.9"),
        ("kanjou | X ni oboreru", "2", "3.8"),
        ("zetubou | X ga ahureru", "3", "3.7"),
        ("oto | X ga simiru", "4", "3.6"),
        ("zetubou | X ga koboreru", "5", "3.5"),
        ("koe | X wo kakeru", "1356", "0.0"),
        ("mizu | X wo susuru", "1356", "0.0"),
        ("mizu | X ga huttou-suru", "1356", "0.0"),
        ("mizu | X ga nagareru", "1356", "0.0"),
        ("mizu | X wo nomu", "1356", "0.0"),
    ),
    ("Table 2", "comprehensibility"): (
        ("ai | X ni oboreru", "1", "4.0"),
        ("kanjou | X wo kumitoru", "1", "4.0"),
        ("mizu | X de susugu", "1", "4.0"),
        ("mizu | X wo kakeru", "1", "4.0"),
        ("mizu | X wo susuru", "1", "4.0"),
        ("ari | X ga simiru", "1356", "0.0"),
        ("keeki | X wo sosogu", "1356", "0.0"),
        ("iwa | X wo susuru", "1356", "0.0"),
        ("ikari | X wo susuru", "1356", "0.0"),
        ("zouo | X de susugu", "1356", "0.0"),
    ),
    ("Table 3", "novelty"): (
        ("ari | X ga simiru", "1", "4.0"),
        ("neko | X wo siboridasu", "1", "4.0"),
        ("neko | X ga nagarederu", "1", "4.0"),
        ("nioi | X ni uku", "1", "4.0"),
        ("roudou | X wo susuru", "1", "4.0"),
        ("mizu | X ga nagareru", "1353", "0.0"),
        ("mizu | X ga waku", "1353", "0.0"),
        ("mizu | X wo nomu", "1353", "0.0"),
        ("jikan | X wo kakeru", "1353", "0.0"),
        ("kotoba | X wo kakeru", "1353", "0.0"),
    ),
    ("Table 4", "overall"): (
        ("kuuki | X ni sizumu", "1", "8.9"),
        ("kimoti | X ga huttou-suru", "2", "8.8"),
        ("kyouhu | X ga nagarederu", "3", "8.7"),
        ("kanjou | X ga huttou-suru", "4", "8.6"),
        ("syuutisin | X ga koboreru", "4", "8.6"),
        ("keeki | X wo sosogu", "1356", "4.0"),
        ("mizu | X ga huttou-suru", "1356", "4.0"),
        ("mizu | X ga nagareru", "1356", "4.0"),
        ("mizu | X wo nomu", "1356", "4.0"),
        ("koe | X wo kakeru", "1360", "3.8"),
    ),
}
TABLE_5 = {
    ("metaphoricity", "comprehensibility"): "-0.19",
    ("metaphoricity", "novelty"): "0.28",
    ("comprehensibility", "novelty"): "-0.92",
}
# Rank in the overall evaluation of both expressions of each pair shown to the judge.
TABLE_6 = (
    ("human | X wo nomu", "23"),
    ("abura | X wo kumitoru", "1087"),
    ("ikari | X ga koboreru", "6"),
    ("iwa | X ni oboreru", "1117"),
    ("syuutisin | X ga tamaru", "44"),
    ("syuutisin | X wo sosogu", "856"),
    ("jouhou | X ga nigoru", "106"),
    ("kuuki | X wo makitirasu", "212"),
    ("kanasimi | X ga simiru", "32"),
    ("rikai | X ga nagareru", "721"),
    ("tanosisa | X ga uzumaku", "81"),
    ("human | X ni tukaru", "1241"),
    ("kotoba | X ga nizimu", "14"),
    ("kyouhu | X ga nagareru", "307"),
    ("kanjou | X wo sosogu", "44"),
    ("ito | X ni tukaru", "654"),
    ("huan | X ga nagarederu", "44"),
    ("jounetu | X wo kumitoru", "165"),
    ("jouhou | X ni oboreru", "23"),
    ("abura | X ga tamaru", "1241"),
)
SECTION_5 = (
    ("human | X wo nomu", "comprehensibility", "3.3"),
    ("human | X wo nomu", "novelty", "2.6"),
    ("syuutisin | X ga waku", "comprehensibility", "3.1"),
    ("syuutisin | X ga waku", "novelty", "2.4"),
    ("kyouhu | X wo makitirasu", "comprehensibility", "2.9"),
    ("kyouhu | X wo maku", "comprehensibility", "1.6"),
)
# Of the ten highest and the ten lowest in metaphoricity, how many have this noun.
NOUNS_AT_THE_ENDS = (("10 highest", "zetubou", "4"), ("10 lowest", "mizu", "9"))
# Pairs, of ten, in which the judge chose the expression of the upper group, by its size in per cent.
JUDGE = (("10", "8"), ("20", "6"), ("30", "6"), ("40", "6"), ("50", "7"))
JUDGED = (
    ("Sec 5.1", "10 highest in metaphoricity", "judged metaphorical", "8"),
    ("Sec 5.3", "50 highest in the overall evaluation", "preferred", "33"),
    ("Sec 5.3", "50 highest in the overall evaluation", "judged metaphorical", "44"),
)
NORMS = (("mean absolute difference", "0.64"), ("Pearson", "0.81"))
