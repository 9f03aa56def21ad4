"""Reads the article that a check is named after: the programs in it, and the sentences that the check is held against."""
import contextlib
import io
import re
import sys
import types
from pathlib import Path

_PATH = Path(__file__).parent.parent / "posts" / (Path(sys.argv[0]).stem + ".md")
_TEXT = _PATH.read_text(encoding="utf-8")


def programs(marks="run", files=None):
    """Runs the article's own blocks of Python with these marks, without what they print, and returns their names.
    Of an article of several files, those that are named by their first line; one may import another."""
    blocks = re.findall(rf"^```python (?:{marks})\n(.*?)^```", _TEXT, re.M | re.S)
    article = types.ModuleType("article")
    if files:
        blocks = [block for block in blocks if block.startswith(tuple(f"# {name}.py\n" for name in files))]
        sys.modules.update((name, article) for name in files)
    with contextlib.redirect_stdout(io.StringIO()):
        exec("\n".join(blocks), vars(article))
    return vars(article)


def claim(sentence, holds):
    """Ends the check where the article does not say this, or where what was measured does not bear it out."""
    if " ".join(sentence.split()) not in " ".join(_TEXT.split()):
        sys.exit(f"The article does not say: {sentence}")
    if not holds:
        sys.exit(f"Does not hold when varied: {sentence}")
    print(f"holds: {sentence}", file=sys.stderr)
