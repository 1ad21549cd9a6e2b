from scoring.models.file_scoring import FileScoring
from scoring.models.item_figures import FigureColumn, FigureSet, ItemFigure, ItemSummary, RaterFigure
from scoring.models.judges import Judge, JudgeCall, JudgeKey, Judgement
from scoring.models.replication import ReplicationRun
from scoring.models.report import Report
from scoring.models.saved_view import SavedView
from scoring.models.score import MetricDirection, Score, ScoreRun
from scoring.models.scoring import ItemComponents, ScoreChunk, ScoredItem
from scoring.models.share_link import ShareLink
