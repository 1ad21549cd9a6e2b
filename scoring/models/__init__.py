from scoring.models.file_scoring import FileScoring
from scoring.models.replication import ReplicationRun
from scoring.models.report import Report
from scoring.models.score import MetricDirection, Score, ScoreRun
from scoring.models.scoring import ItemComponents, ScoreChunk, ScoredItem

__all__ = [
    "FileScoring",
    "ItemComponents",
    "MetricDirection",
    "ReplicationRun",
    "Report",
    "Score",
    "ScoreChunk",
    "ScoreRun",
    "ScoredItem",
]
