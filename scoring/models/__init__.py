from scoring.models.replication import ReplicationRun
from scoring.models.report import Report
from scoring.models.score import MetricDirection, Score, ScoreRun

__all__ = ["MetricDirection", "ReplicationRun", "Report", "Score", "ScoreRun"]
