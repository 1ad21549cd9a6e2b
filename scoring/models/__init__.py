from scoring.models.report import Report
from scoring.models.score import Score, ScoreRun

__all__ = ["Report", "Score", "ScoreRun"]
