"""Names and figures printed in HANNA's Tables 5, 8 and 9: the best metrics of each criterion."""

from __future__ import annotations

from collections.abc import Mapping

Best = tuple[tuple[str, str], ...]

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

TABLE_8: Mapping[str, Mapping[str, Best]] = {
    "RE": {
        "kendall": (
            ("SUPERT-SS", "29.95"),
            ("BARTScore-SP", "29.61"),
            ("SUPERT-PS", "28.59"),
            ("BARTScore-SH", "22.32"),
            ("MoverScore", "19.12"),
        ),
        "spearman": (
            ("SUPERT-SS", "38.58"),
            ("BARTScore-SP", "37.98"),
            ("SUPERT-PS", "36.40"),
            ("BARTScore-SH", "28.53"),
            ("MoverScore", "23.67"),
        ),
        "pearson": (
            ("BARTScore-SP", "42.55"),
            ("SUPERT-SS", "41.16"),
            ("SUPERT-PS", "40.15"),
            ("BARTScore-SH", "28.98"),
            ("SUPERT-Golden", "24.72"),
        ),
    },
    "CH": {
        "kendall": (
            ("ROUGE-WE-3 Recall", "25.29"),
            ("BARTScore-SH", "25.06"),
            ("chrF", "24.61"),
            ("S3-Pyramid", "24.39"),
            ("S3-Responsiveness", "24.28"),
        ),
        "spearman": (
            ("ROUGE-WE-3 Recall", "32.22"),
            ("chrF", "32.03"),
            ("BARTScore-SH", "31.38"),
            ("S3-Responsiveness", "31.31"),
            ("S3-Pyramid", "31.14"),
        ),
        "pearson": (
            ("Repetition-3", "38.12"),
            ("BERTScore Recall", "37.12"),
            ("S3-Pyramid", "37.05"),
            ("chrF", "36.99"),
            ("Repetition-2", "36.54"),
        ),
    },
    "EM": {
        "kendall": (
            ("ROUGE-WE-3 Recall", "23.58"),
            ("chrF", "23.33"),
            ("S3-Pyramid", "23.19"),
            ("ROUGE-SU* Recall", "23.13"),
            ("ROUGE-S* Recall", "23.08"),
        ),
        "spearman": (
            ("ROUGE-WE-3 Recall", "29.85"),
            ("chrF", "29.81"),
            ("S3-Pyramid", "29.68"),
            ("ROUGE-SU* Recall", "29.38"),
            ("ROUGE-S* Recall", "29.32"),
        ),
        "pearson": (
            ("S3-Pyramid", "32.78"),
            ("chrF", "32.43"),
            ("BERTScore Recall", "32.06"),
            ("S3-Responsiveness", "31.78"),
            ("BARTScore-SH", "31.66"),
        ),
    },
    "SU": {
        "kendall": (
            ("chrF", "24.45"),
            ("ROUGE-1 Recall", "23.67"),
            ("S3-Responsiveness", "23.35"),
            ("Novelty-1", "23.11"),
            ("ROUGE-SU* Recall", "22.85"),
        ),
        "spearman": (
            ("chrF", "31.55"),
            ("ROUGE-1 Recall", "30.86"),
            ("S3-Responsiveness", "30.41"),
            ("ROUGE-SU* Recall", "30.30"),
            ("ROUGE-S* Recall", "30.25"),
        ),
        "pearson": (
            ("Novelty-1", "32.86"),
            ("chrF", "32.65"),
            ("ROUGE-1 Recall", "31.32"),
            ("S3-Pyramid", "31.07"),
            ("BERTScore Recall", "30.98"),
        ),
    },
    "EG": {
        "kendall": (
            ("chrF", "30.77"),
            ("S3-Pyramid", "29.62"),
            ("ROUGE-1 Recall", "29.19"),
            ("S3-Responsiveness", "29.01"),
            ("BERTScore Recall", "28.93"),
        ),
        "spearman": (
            ("chrF", "39.03"),
            ("S3-Pyramid", "37.74"),
            ("ROUGE-1 Recall", "37.02"),
            ("S3-Responsiveness", "36.85"),
            ("ROUGE-S* Recall", "36.60"),
        ),
        "pearson": (
            ("BERTScore Recall", "42.95"),
            ("Novelty-1", "42.27"),
            ("chrF", "41.07"),
            ("S3-Pyramid", "40.34"),
            ("Repetition-3", "39.53"),
        ),
    },
    "CX": {
        "kendall": (
            ("chrF", "43.31"),
            ("ROUGE-1 Recall", "40.65"),
            ("ROUGE-SU* Recall", "39.83"),
            ("Text length", "39.82"),
            ("Compression", "39.82"),
        ),
        "spearman": (
            ("chrF", "54.11"),
            ("ROUGE-1 Recall", "50.60"),
            ("Text length", "50.19"),
            ("Compression", "50.19"),
            ("ROUGE-SU* Recall", "50.10"),
        ),
        "pearson": (
            ("chrF", "58.76"),
            ("BERTScore Recall", "55.83"),
            ("ROUGE-1 Recall", "55.01"),
            ("METEOR", "54.41"),
            ("Compression", "54.38"),
        ),
    },
}

TABLE_9: Mapping[str, Mapping[str, Best]] = {
    "RE": {
        "kendall": (
            ("S3-Pyramid", "60.00"),
            ("chrF", "60.00"),
            ("ROUGE-SU* Recall", "60.00"),
            ("ROUGE-S* Recall", "60.00"),
            ("ROUGE-W-1.2 F-Score", "60.00"),
        ),
        "spearman": (
            ("MoverScore", "78.18"),
            ("S3-Pyramid", "75.76"),
            ("ROUGE-S* Recall", "75.76"),
            ("ROUGE-SU* Recall", "75.76"),
            ("chrF", "74.55"),
        ),
        "pearson": (
            ("ROUGE-S* F-Score", "80.39"),
            ("ROUGE-SU* F-Score", "80.29"),
            ("ROUGE-S* Recall", "80.24"),
            ("ROUGE-SU* Recall", "80.23"),
            ("BLEU", "79.89"),
        ),
    },
    "CH": {
        "kendall": (
            ("BaryScore-SD-0.001", "77.78"),
            ("BaryScore-SD-5", "68.89"),
            ("BaryScore-SD-10", "68.89"),
            ("BaryScore-SD-1", "64.44"),
            ("BaryScore-SD-0.5", "60.00"),
        ),
        "spearman": (
            ("BaryScore-SD-0.001", "92.73"),
            ("BaryScore-SD-10", "78.18"),
            ("BaryScore-SD-10", "78.18"),
            ("BaryScore-SD-1", "75.76"),
            ("BERTScore F1", "74.55"),
        ),
        "pearson": (
            ("BaryScore-SD-0.01", "88.15"),
            ("BaryScore-W", "87.99"),
            ("BERTScore F1", "87.91"),
            ("DepthScore", "87.38"),
            ("MoverScore", "86.95"),
        ),
    },
    "EM": {
        "kendall": (
            ("BaryScore-SD-0.001", "77.78"),
            ("BERTScore F1", "73.33"),
            ("BaryScore-SD-0.01", "73.33"),
            ("MoverScore", "73.33"),
            ("BaryScore-W", "68.89"),
        ),
        "spearman": (
            ("BaryScore-SD-0.001", "92.73"),
            ("BERTScore F1", "84.24"),
            ("BaryScore-SD-0.01", "84.24"),
            ("MoverScore", "81.82"),
            ("BaryScore-W", "80.61"),
        ),
        "pearson": (
            ("BaryScore-SD-0.01", "90.01"),
            ("BaryScore-W", "89.96"),
            ("BERTScore F1", "88.67"),
            ("SUPERT-Golden", "88.10"),
            ("ROUGE-WE-3 F-Score", "87.93"),
        ),
    },
    "SU": {
        "kendall": (
            ("BaryScore-SD-0.001", "77.78"),
            ("BaryScore-SD-10", "68.89"),
            ("BaryScore-SD-10", "68.89"),
            ("BaryScore-SD-1", "64.44"),
            ("BaryScore-SD-0.5", "60.00"),
        ),
        "spearman": (
            ("BaryScore-SD-0.001", "90.30"),
            ("BaryScore-SD-5", "83.03"),
            ("BaryScore-SD-10", "83.03"),
            ("BaryScore-SD-1", "79.39"),
            ("BaryScore-SD-0.5", "76.97"),
        ),
        "pearson": (
            ("BARTScore-SH", "92.65"),
            ("BERTScore Recall", "91.09"),
            ("DepthScore", "90.71"),
            ("SUPERT-Golden", "89.83"),
            ("Compression", "89.24"),
        ),
    },
    "EG": {
        "kendall": (
            ("BaryScore-SD-0.001", "77.78"),
            ("BaryScore-SD-5", "68.89"),
            ("BaryScore-SD-10", "68.89"),
            ("BaryScore-SD-1", "64.44"),
            ("BaryScore-SD-0.5", "60.00"),
        ),
        "spearman": (
            ("BaryScore-SD-0.001", "92.73"),
            ("BaryScore-SD-5", "78.18"),
            ("BaryScore-SD-10", "78.18"),
            ("BaryScore-SD-1", "75.76"),
            ("BERTScore F1", "74.55"),
        ),
        "pearson": (
            ("DepthScore", "93.44"),
            ("BARTScore-SH", "92.44"),
            ("SUPERT-Golden", "92.21"),
            ("MoverScore", "92.07"),
            ("BERTScore F1", "91.74"),
        ),
    },
    "CX": {
        "kendall": (
            ("BaryScore-SD-10", "76.41"),
            ("BaryScore-SD-10", "76.41"),
            ("BaryScore-SD-1", "71.91"),
            ("chrF", "67.42"),
            ("Novelty-1", "67.42"),
        ),
        "spearman": (
            ("BaryScore-SD-10", "91.19"),
            ("BaryScore-SD-5", "91.19"),
            ("BaryScore-SD-1", "87.54"),
            ("Novelty-1", "87.54"),
            ("BaryScore-SD-0.5", "85.11"),
        ),
        "pearson": (
            ("DepthScore", "95.63"),
            ("BERTScore Recall", "95.49"),
            ("Compression", "94.31"),
            ("BARTScore-SH", "93.83"),
            ("ROUGE-1 F-Score", "93.35"),
        ),
    },
}
