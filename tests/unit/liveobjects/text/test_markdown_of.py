"""Notes as Markdown."""

from __future__ import annotations

import pytest

from liven.liveobjects.text.document import Document
from liven.liveobjects.text.markdown import delta_of, markdown_of

TEXT = """# Plan
Some *words* and **more** of [them](https://example.org), see https://example.org/a
- one
- two
1. first
2. second
- [ ] open
- [x] done
## Then
the end"""


def there_and_back(text: str) -> str:
    page = Document()
    page.edit(delta_of(text))
    return markdown_of(page.runs())


@pytest.mark.parametrize("text", [TEXT, "", "plain", "a\n\nb", "1. one\ntext\n1. one again"])
def test_what_came_from_markdown_goes_back_to_it(text: str) -> None:
    assert there_and_back(text).rstrip("\n") == text.rstrip("\n")


def test_signs_of_a_look_touch_no_space() -> None:
    page = Document()
    page.edit(delta_of("**bold**"))
    [bold] = [run for run in page.runs() if run.look.get("bold")]
    spaced = type(bold)(f" {bold.text} ", bold.look)
    assert markdown_of([spaced]) == " **bold** "
