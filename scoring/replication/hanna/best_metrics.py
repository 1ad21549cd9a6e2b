"""Names and figures printed in HANNA's Tables 5, 8 and 9: the best metrics of each criterion."""

from __future__ import annotations

from collections.abc import Mapping

Best = tuple[tuple[str, str], ...]
COLUMNS = ("kendall", "spearman", "pearson")

TABLE_5 = {
    "story": {
        "RE": ("42.6", "41.2", "40.2"),
        "CH": ("38.1", "37.1", "37.1"),
        "EM": ("32.8", "32.4", "32.1"),
        "SU": ("32.9", "32.7", "31.3"),
        "EG": ("43.0", "42.3", "41.1"),
        "CX": ("58.8", "55.8", "55.0"),
    },
    "system": {
        "RE": ("80.4", "80.3", "80.2"),
        "CH": ("88.2", "88.0", "87.9"),
        "EM": ("90.0", "90.0", "88.7"),
        "SU": ("92.7", "91.1", "90.7"),
        "EG": ("93.4", "92.4", "92.2"),
        "CX": ("95.6", "95.5", "94.3"),
    },
}


def _columns(*places: str) -> dict[str, Best]:
    """The best metrics by coefficient, from the lines of a table: a line per place, best first."""
    columns = zip(*(place.split(" | ") for place in places), strict=True)
    return {
        coefficient: tuple(
            (metric, figure) for metric, _, figure in (cell.rpartition(" ") for cell in column)
        )
        for coefficient, column in zip(COLUMNS, columns, strict=True)
    }


TABLE_8: Mapping[str, Mapping[str, Best]] = {
    "RE": _columns(
        "SUPERT-SS 29.95 | SUPERT-SS 38.58 | BARTScore-SP 42.55",
        "BARTScore-SP 29.61 | BARTScore-SP 37.98 | SUPERT-SS 41.16",
        "SUPERT-PS 28.59 | SUPERT-PS 36.40 | SUPERT-PS 40.15",
        "BARTScore-SH 22.32 | BARTScore-SH 28.53 | BARTScore-SH 28.98",
        "MoverScore 19.12 | MoverScore 23.67 | SUPERT-Golden 24.72",
    ),
    "CH": _columns(
        "ROUGE-WE-3 Recall 25.29 | ROUGE-WE-3 Recall 32.22 | Repetition-3 38.12",
        "BARTScore-SH 25.06 | chrF 32.03 | BERTScore Recall 37.12",
        "chrF 24.61 | BARTScore-SH 31.38 | S3-Pyramid 37.05",
        "S3-Pyramid 24.39 | S3-Responsiveness 31.31 | chrF 36.99",
        "S3-Responsiveness 24.28 | S3-Pyramid 31.14 | Repetition-2 36.54",
    ),
    "EM": _columns(
        "ROUGE-WE-3 Recall 23.58 | ROUGE-WE-3 Recall 29.85 | S3-Pyramid 32.78",
        "chrF 23.33 | chrF 29.81 | chrF 32.43",
        "S3-Pyramid 23.19 | S3-Pyramid 29.68 | BERTScore Recall 32.06",
        "ROUGE-SU* Recall 23.13 | ROUGE-SU* Recall 29.38 | S3-Responsiveness 31.78",
        "ROUGE-S* Recall 23.08 | ROUGE-S* Recall 29.32 | BARTScore-SH 31.66",
    ),
    "SU": _columns(
        "chrF 24.45 | chrF 31.55 | Novelty-1 32.86",
        "ROUGE-1 Recall 23.67 | ROUGE-1 Recall 30.86 | chrF 32.65",
        "S3-Responsiveness 23.35 | S3-Responsiveness 30.41 | ROUGE-1 Recall 31.32",
        "Novelty-1 23.11 | ROUGE-SU* Recall 30.30 | S3-Pyramid 31.07",
        "ROUGE-SU* Recall 22.85 | ROUGE-S* Recall 30.25 | BERTScore Recall 30.98",
    ),
    "EG": _columns(
        "chrF 30.77 | chrF 39.03 | BERTScore Recall 42.95",
        "S3-Pyramid 29.62 | S3-Pyramid 37.74 | Novelty-1 42.27",
        "ROUGE-1 Recall 29.19 | ROUGE-1 Recall 37.02 | chrF 41.07",
        "S3-Responsiveness 29.01 | S3-Responsiveness 36.85 | S3-Pyramid 40.34",
        "BERTScore Recall 28.93 | ROUGE-S* Recall 36.60 | Repetition-3 39.53",
    ),
    "CX": _columns(
        "chrF 43.31 | chrF 54.11 | chrF 58.76",
        "ROUGE-1 Recall 40.65 | ROUGE-1 Recall 50.60 | BERTScore Recall 55.83",
        "ROUGE-SU* Recall 39.83 | Text length 50.19 | ROUGE-1 Recall 55.01",
        "Text length 39.82 | Compression 50.19 | METEOR 54.41",
        "Compression 39.82 | ROUGE-SU* Recall 50.10 | Compression 54.38",
    ),
}
TABLE_9: Mapping[str, Mapping[str, Best]] = {
    "RE": _columns(
        "S3-Pyramid 60.00 | MoverScore 78.18 | ROUGE-S* F-Score 80.39",
        "chrF 60.00 | S3-Pyramid 75.76 | ROUGE-SU* F-Score 80.29",
        "ROUGE-SU* Recall 60.00 | ROUGE-S* Recall 75.76 | ROUGE-S* Recall 80.24",
        "ROUGE-S* Recall 60.00 | ROUGE-SU* Recall 75.76 | ROUGE-SU* Recall 80.23",
        "ROUGE-W-1.2 F-Score 60.00 | chrF 74.55 | BLEU 79.89",
    ),
    "CH": _columns(
        "BaryScore-SD-0.001 77.78 | BaryScore-SD-0.001 92.73 | BaryScore-SD-0.01 88.15",
        "BaryScore-SD-5 68.89 | BaryScore-SD-10 78.18 | BaryScore-W 87.99",
        "BaryScore-SD-10 68.89 | BaryScore-SD-10 78.18 | BERTScore F1 87.91",
        "BaryScore-SD-1 64.44 | BaryScore-SD-1 75.76 | DepthScore 87.38",
        "BaryScore-SD-0.5 60.00 | BERTScore F1 74.55 | MoverScore 86.95",
    ),
    "EM": _columns(
        "BaryScore-SD-0.001 77.78 | BaryScore-SD-0.001 92.73 | BaryScore-SD-0.01 90.01",
        "BERTScore F1 73.33 | BERTScore F1 84.24 | BaryScore-W 89.96",
        "BaryScore-SD-0.01 73.33 | BaryScore-SD-0.01 84.24 | BERTScore F1 88.67",
        "MoverScore 73.33 | MoverScore 81.82 | SUPERT-Golden 88.10",
        "BaryScore-W 68.89 | BaryScore-W 80.61 | ROUGE-WE-3 F-Score 87.93",
    ),
    "SU": _columns(
        "BaryScore-SD-0.001 77.78 | BaryScore-SD-0.001 90.30 | BARTScore-SH 92.65",
        "BaryScore-SD-10 68.89 | BaryScore-SD-5 83.03 | BERTScore Recall 91.09",
        "BaryScore-SD-10 68.89 | BaryScore-SD-10 83.03 | DepthScore 90.71",
        "BaryScore-SD-1 64.44 | BaryScore-SD-1 79.39 | SUPERT-Golden 89.83",
        "BaryScore-SD-0.5 60.00 | BaryScore-SD-0.5 76.97 | Compression 89.24",
    ),
    "EG": _columns(
        "BaryScore-SD-0.001 77.78 | BaryScore-SD-0.001 92.73 | DepthScore 93.44",
        "BaryScore-SD-5 68.89 | BaryScore-SD-5 78.18 | BARTScore-SH 92.44",
        "BaryScore-SD-10 68.89 | BaryScore-SD-10 78.18 | SUPERT-Golden 92.21",
        "BaryScore-SD-1 64.44 | BaryScore-SD-1 75.76 | MoverScore 92.07",
        "BaryScore-SD-0.5 60.00 | BERTScore F1 74.55 | BERTScore F1 91.74",
    ),
    "CX": _columns(
        "BaryScore-SD-10 76.41 | BaryScore-SD-10 91.19 | DepthScore 95.63",
        "BaryScore-SD-10 76.41 | BaryScore-SD-5 91.19 | BERTScore Recall 95.49",
        "BaryScore-SD-1 71.91 | BaryScore-SD-1 87.54 | Compression 94.31",
        "chrF 67.42 | Novelty-1 87.54 | BARTScore-SH 93.83",
        "Novelty-1 67.42 | BaryScore-SD-0.5 85.11 | ROUGE-1 F-Score 93.35",
    ),
}
