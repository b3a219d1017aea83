"""`liven run` with channels: processes that communicate over real sockets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TALK = """
<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <Object xsi:type="ReferenceObject" id="standup">
    <ObjectClass id="liven:fifo-channel">
      <Parameter id="MessageClass"><Value xsi:type="ValueClass" id="liven:text"/></Parameter>
    </ObjectClass>
    <From xsi:type="ReferenceObject" id="liven:communication">
      <Parameter id="kind"><Value xsi:type="xsd:string">group</Value></Parameter>
    </From>
  </Object>
</Root>
"""
SPEAKER = '''
from __future__ import annotations

from liven.liveobjects.channel.api.endpoints import ChannelService, ChannelClient
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy


@proxy(id="0A0B0C0D0E0F40008000000000000001", alias="test:speaker")
class Speaker:
    """Says one word every tenth of a second."""

    channel: Dual[ChannelClient[str], ChannelService[str]]

    def __init__(self, context: Context, word: str) -> None:
        self.context, self.word = context, word
        context.call_later(0.1, self.speak)

    def speak(self) -> None:
        self.channel.peer.send(self.word)
        self.context.call_later(0.1, self.speak)

    def receive(self, message: str) -> None: ...
'''


def speaker(word: str) -> str:
    start = TALK.index("<Object ")
    end = TALK.index("</Object>") + len("</Object>")
    inner = TALK[start:end].replace("<Object ", "<Value ").replace("</Object>", "</Value>")
    return (
        TALK[:start] + '<Object xsi:type="ReferenceObject" id="test:speaker">'
        f'<Parameter id="word"><Value xsi:type="xsd:string">{word}</Value></Parameter>'
        f'<Parameter id="channel">{inner}</Parameter></Object>' + TALK[end:]
    )


def started(home: Path, file: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "liven.app.main", "run", str(file), "--json", *more]
    environment = {**os.environ, "LIVEN_HOME": str(home)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_two_processes_with_one_recipe_communicate(tmp_path: Path) -> None:
    module = tmp_path / "speaker.py"
    module.write_text(SPEAKER)
    files = []
    for word in ("ann", "bob"):
        files.append(tmp_path / f"{word}.liveobject")
        files[-1].write_text(speaker(word))
    options = ("--module", str(module), "--log", "channel", "--for", "6", "--service-idle", "1")
    running = [started(tmp_path / "home", file, *options) for file in files]
    outputs = [one.communicate(timeout=60) for one in running]
    for output, errors in outputs:
        rows = [json.loads(line) for line in output.splitlines()]
        heard = [row["values"] for row in rows if row.get("event") == "receive"]
        words = {json.dumps(one) for one in heard}
        assert any("ann" in word for word in words), (output, errors)
        assert any("bob" in word for word in words), (output, errors)
    assert [one.returncode for one in running] == [0, 0]


@pytest.mark.slow
def test_a_log_of_another_version_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "data" / "channels" / "0"
    folder.mkdir(parents=True)
    (folder / "00000001.log").write_bytes(b"\xa7LF1 and what an earlier version wrote")
    (tmp_path / "speaker.py").write_text(SPEAKER)
    (tmp_path / "ann.liveobject").write_text(speaker("ann"))
    options = ("--module", str(tmp_path / "speaker.py"), "--for", "2", "--service-idle", "1")
    program = started(tmp_path / "home", tmp_path / "ann.liveobject", *options)
    output, errors = program.communicate(timeout=60)
    assert "written by another version of Liven (format 1; this version reads format" in output + errors
    assert "damaged" not in output + errors
    assert [each.name for each in folder.iterdir()] == ["00000001.log"]
