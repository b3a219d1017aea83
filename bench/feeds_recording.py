"""Measure what recording costs: python bench/feeds_recording.py [--json]"""

from __future__ import annotations

import sys
from pathlib import Path

from feed_figures.recording import figures
from figure_report import report

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.exit(report("feeds_recording", figures()))
