"""The process that workers are forked from."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`")


def test_it_has_the_imports_of_workers_and_only_one_thread_when_it_forks() -> None:
    code = (
        "import os, sys\n"
        "from liven.liveobjects.feeds.spark import worker_daemon\n"
        "worker_daemon.load()\n"
        "print({'numpy', 'pyarrow.parquet', 'msgpack', 'pyspark.worker'} <= set(sys.modules))\n"
        "print(len(os.listdir('/proc/self/task')))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["True", "1"]
