"""Other splits of the same files for the card's numbers, and damages of every kind for the check of the card."""
import copy
import csv
import datetime
import math
import re
import sys
import tomllib
import types
from pathlib import Path
from article import _TEXT, claim

rows = list(csv.DictReader((Path(__file__).parent.parent / "data/model-cards-worth-reading.csv").open()))
shown, others = rows[0], rows[1:]


def values(name, of=others):
    return [float(row[name]) for row in of]


def extent(name):
    return f"{min(values(name)):.3f} to {max(values(name)):.3f}"


print("20 other splits by file     as shown   least to most")
for label, name in (("right", "right"), ("always code", "code"), ("prose recall, all", "recall_all"), ("prose precision, all", "precision_all"),
                    ("recall, short", "recall_short"), ("precision, short", "precision_short"), ("precision, medium", "precision_medium"),
                    ("precision, long", "precision_long"), ("code recall, long", "code_long"), ("doctests called prose", "doctest")):
    print(f"{label:28}{float(shown[name]):.3f}      {extent(name)}")
imports = [float(row["imports_prose"]) / float(row["imports"]) for row in others]
print(f"{'imports called prose':28}{119 / 223:.3f}      {min(imports):.3f} to {max(imports):.3f}")
outside = sum(not 0.337 <= value <= 0.498 for value in values("precision_short"))
half = sum(value > 0.5 for value in values("precision_short"))
order = sum(float(row["precision_short"]) < float(row["precision_medium"]) < float(row["precision_long"]) and
            float(row["recall_short"]) < float(row["recall_medium"]) < float(row["recall_long"]) for row in others)
print(f"precision on short lines outside of 0.337 to 0.498: {outside} splits;")
print(f"above one half: {half}; short below medium below long: {order}")
print()



def mixed(row, slice_, share=0.151):
    """Precision of a slice if this share of its lines were prose."""
    recall, code = float(row[f"recall_{slice_}"]), float(row[f"code_{slice_}"])
    return share * recall / (share * recall + (1 - share) * (1 - code))


print("precision if 15.1% of each slice were prose")
for slice_ in ("short", "medium", "long"):
    print(f"{slice_:28}{mixed(shown, slice_):.3f}      {min(mixed(row, slice_) for row in others):.3f} to {max(mixed(row, slice_) for row in others):.3f}")
beats = sum(mixed(row, "short") > mixed(row, "long") for row in others)
lowest = sum(float(row["code_long"]) < min(float(row["code_short"]), float(row["code_medium"])) for row in others)
print(f"short above long: {beats} splits; code recall lowest on long lines: {lowest}")

card = tomllib.loads(re.search(r"^```text\n(\[model\].*?)^```", _TEXT, re.M | re.S)[1])
measured = copy.deepcopy(card["results"])
sys.modules["classifier"] = types.SimpleNamespace(evaluate=lambda model, test: measured, fit=None, load=None)
space = {"__name__": "check"}
exec(re.search(r"^```python norun: one of several files\n(import datetime.*?)^```", _TEXT, re.M | re.S)[1], space)
space["digest"] = lambda which: card["model"]["model_sha256" if which == "model" else "test_sha256"]
digests = dict(card["model"])
space["digest"] = lambda which: digests[f"{which}_sha256"]


def found(damage):
    damaged = copy.deepcopy(card)
    damage(damaged)
    return space["problems"](damaged, "model", "test", datetime.date(2026, 12, 1))


numbers = [(s, k) for s in measured for k in measured[s]]
kinds = {
    "a rate off by 0.001": [lambda c, s=s, k=k: c["results"][s].update({k: c["results"][s][k] + 0.001}) for s, k in numbers if not k.startswith("n_")],
    "a count off by one": [lambda c, s=s, k=k: c["results"][s].update({k: c["results"][s][k] + 1}) for s, k in numbers if k.startswith("n_")],
    "a number left out": [lambda c, s=s, k=k: c["results"][s].pop(k) for s, k in numbers],
    "a number nobody measures": [lambda c, s=s: c["results"][s].update({"auc": 0.99}) for s in measured],
    "a slice left out": [lambda c, s=s: c["results"].pop(s) for s in measured],
    "a slice nobody measures": [lambda c: c["results"].update(german=dict(card["results"]["all"]))],
    "a use left empty": [lambda c, f=f: c["uses"].update({f: " "}) for f in ("intended", "out_of_scope")],
    "another hash": [lambda c, f=f: c["model"].update({f: "0" * 16}) for f in ("model_sha256", "test_sha256")],
    "a review date passed": [lambda c: c["model"].update(review_by=datetime.date(2026, 11, 30))],
    "a figure in a sentence": [lambda c: c["known_failures"].update(imports=c["known_failures"]["imports"].replace("119", "19")),
                               lambda c: c["uses"].update(out_of_scope=c["uses"]["out_of_scope"].replace("0.625", "0.925")),
                               lambda c: c["model"].update(kind=c["model"]["kind"].replace("5,429", "9"))],
}
print()
print("damage to the card         tried   noticed")
noticed = {}
for label, damages in kinds.items():
    noticed[label] = sum(bool(found(damage)) for damage in damages), len(damages)
    print(f"{label:27}{len(damages):5}   {noticed[label][0]:7}")
claim("In twenty other splits of the same files short lines have a precision of 0.31 to 0.61, in 9 outside of that interval", (f"{min(values('precision_short')):.2f}", f"{max(values('precision_short')):.2f}", outside) == ("0.31", "0.61", 9))
claim("in every split, prose recall and prose precision are lowest on short lines and highest on long ones", order == 20)
silent = [lambda c: c.pop("known_failures"), lambda c: c.pop("data"), lambda c: c["model"].pop("owner"),
          lambda c: c["model"].update(review_by=datetime.date(2099, 1, 1))]
claim("a card without its known failures, its data or its owner passes, and one with a review date in 2099 does, too",
      not any(found(damage) for damage in silent))
claim("it is lowest on *long* lines, in every split", lowest == 20)
claim("in 7 of the twenty splits it is 39% to half of it", half == 7 and max(values("precision_short")) < 0.615)
claim("In twenty other splits short lines then beat long ones in 16", beats == 16)
claim("precision is 0.722 on short lines, 0.804 on medium and 0.603 on long ones",
      all(abs(mixed(shown, slice_) - value) < 0.002 for slice_, value in (("short", 0.722), ("medium", 0.804), ("long", 0.603))))
claim("In other splits it is between 26% and 62% of them", [round(100 * f(imports)) for f in (min, max)] == [26, 62])
claim("Figures inside sentences it does not read", noticed["a figure in a sentence"][0] == 0)
claim("The comparison works in both directions", all(a == b for label, (a, b) in noticed.items() if label != "a figure in a sentence"))
measured["short"]["prose_recall"] = math.nan
claim("A rate that cannot be computed, of a slice without prose for instance, stands in the card as `nan`",
      not found(lambda c: c["results"]["short"].update(prose_recall=math.nan)) and found(lambda c: c["results"]["short"].pop("prose_recall"))
      and found(lambda c: None))
