"""Other splits, another task and other prices for escalating by a small model's certainty."""
import csv
from pathlib import Path
from article import claim, programs

names = programs()
runs = {}
with open(Path(__file__).parent.parent / "data/routing-by-gain.csv", encoding="utf-8") as lines:
    for row in csv.DictReader(lines):
        runs.setdefault((row["task"], row["seed"]), []).append({k: int(row[k]) for k in ("n", "cheap", "expensive", "both")})


def gain(groups, share):
    """Share of the large model's gain when so much is escalated, the least certain first."""
    cut = round(share * len(groups))
    small, large = (sum(g[k] for g in groups) for k in ("cheap", "expensive"))
    return sum(g["expensive"] - g["cheap"] for g in groups[:cut]) / (large - small)


def reach(groups, wanted=0.95):
    return next(cut / len(groups) for cut in range(len(groups) + 1) if gain(groups, cut / len(groups)) >= wanted)


def fixed(groups):
    """How often the large model is right where the small one is wrong."""
    wrong = sum(g["n"] - g["cheap"] for g in groups)
    return sum(g["expensive"] - g["both"] for g in groups) / wrong


print("                      right, %     of the gain, %    repaired   95% of the gain costs,")
print("task        split  small  large  first 25%  50%     errors, %  small at 0.02  0.1  0.3")
found = {}
for (task, seed), groups in runs.items():
    total = sum(g["n"] for g in groups)
    small, large = (100 * sum(g[k] for g in groups) / total for k in ("cheap", "expensive"))
    found[task, seed] = gain(groups, 0.25), gain(groups, 0.5), fixed(groups), reach(groups)
    first, half, repaired, cost = found[task, seed]
    print(f"{task:12s}{seed:>5}{small:7.1f}{large:7.1f}{100 * first:11.0f}{100 * half:5.0f}{100 * repaired:14.0f}"
          + "".join(f"{cost + price:{width}.2f}" for price, width in ((0.02, 15), (0.1, 5), (0.3, 5))))

docs = [value for (task, _), value in found.items() if task == "docstrings"]
digits = [value for (task, _), value in found.items() if task == "digits"]
article = runs["docstrings", "0"]
claim("A classifier with ten times the text repaired half of a small one's errors",
      all(0.48 < repaired < 0.53 for _, _, repaired, _ in docs))
claim("gave 92% of its gain for 60% of its price", round(100 * docs[0][1]) == 92 and names["cascade"](10)[1] == 0.6)
claim("Over the six most certain groups the large model is ahead by 4 right answers of 1,800, in the two other splits",
      [sum(g["expensive"] - g["cheap"] for g in runs["docstrings", seed][-6:]) for seed in "012"] == [4, 15, -3]
      and sum(g["n"] for g in article[-6:]) == 1800)
claim("kept 95% to 99% of the gain", all(95 <= round(100 * half) <= 99 for _, half, _, _ in digits))
claim("the large one was right on 94% of the small one's errors",
      round(100 * sum(repaired for _, _, repaired, _ in digits) / len(digits)) == 94)
claim("this is how many each got right", names["small"] == [g["cheap"] for g in article]
      and names["large"] == [g["expensive"] for g in article])
