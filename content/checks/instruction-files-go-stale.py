"""Other ways to count what instruction files say of files that have moved."""
import csv
import random
import re
from pathlib import Path
from statistics import median
from article import claim, programs

data = Path(__file__).parent.parent / "data"
history = list(csv.DictReader(open(data / "instruction-files-history.csv", encoding="utf-8")))
files = list(csv.DictReader(open(data / "instruction-files.csv", encoding="utf-8")))


def outcomes(rows):
    """How each commit that removed a named path ended: corrected with it, in how many days, or not."""
    commits = {}
    for row in rows:
        commits.setdefault((row["repo"], row["removed"]), []).append(row)
    ends = []
    for group in commits.values():
        days = [float(row["days"]) for row in group if row["outcome"] != "same"]
        ends.append("open" if any(row["outcome"] == "open" for row in group) else max(days, default=0))
    return ends


def line(name, rows):
    ends = outcomes(rows)
    wrong = [end for end in ends if end == "open" or end > 0]
    later = [end for end in ends if end != "open" and end > 0]
    spans = [sum(low < end <= high for end in later) for low, high in ((0, 7), (7, 30), (30, 999))]
    open_ = ends.count("open")
    print(f"{name:30s}{len(ends):5d}{len(ends) - len(wrong):7d}{spans[0]:7d}{spans[1]:7d}{spans[2]:7d}{open_:7d}"
          f"{100 * len(wrong) / len(ends):7.0f}%")
    return ends, wrong, later


def without(repo):
    return [row for row in history if row["repo"] != repo]


print("                                    right      wrong for days         still")
print("                              all at once    1-7   8-30  more   wrong  wrong")
ends, wrong, later = line("all", history)
for repo in ("pnpm/pnpm", "amd/gaia", "prisma/prisma"):
    line(f"without {repo}", without(repo))
line("the file at the root only", [row for row in history if "/" not in row["file"]])
line("files in folders only", [row for row in history if "/" in row["file"]])
line("paths with a slash", [row for row in history if "/" in row["path"]])
line("removed in 2025", [row for row in history if row["removed"] < "2026"])
line("removed in 2026", [row for row in history if row["removed"] >= "2026"])
line("back again is no error", [row for row in history if row["outcome"] != "back"])

root = {}
for row in files:
    if "/" not in row["file"]:
        root[row["repo"]] = max(root.get(row["repo"], 0), int(row["tokens"]))
total = {key: sum(int(row[key]) for row in files) for key in ("claims", "there", "elsewhere", "gone")}

claim("In 24 of 66 commits that moved or removed what an AGENTS.md names", (len(wrong), len(ends)) == (24, 66))
claim("The 17 that were mended later had been wrong for 14 days in the median",
      len(later) == 17 and round(median(later)) == 14)
still = [row for row in history if row["outcome"] == "open"]
claim("a name that only looks like a file, such as `Next.js`", list(programs()["named"]("`Next.js`")) == ["Next.js"])
claim("Seven moves in three repositories still misled at the end, with 27 names between them",
      ends.count("open") == 7 and len({row["repo"] for row in still}) == 3 and len(still) == 27)
shares = []
for repo in {row["repo"] for row in history}:
    rest = outcomes(without(repo))
    shares.append(sum(end != 0 for end in rest) / len(rest))
claim("lies between 33% and 39%, whichever repository is left out",
      (round(100 * min(shares)), round(100 * max(shares))) == (33, 39))
claim("The nine moves of 2025, when few of these files existed, left the text behind six times",
      [end != 0 for end in outcomes([row for row in history if row["removed"] < "2026"])].count(True) == 6)
claim("Of 1,742 path names in the newest versions, 85% resolve from the root or from the file's folder, "
      "11% match something deeper in the tree, and 4% match nothing",
      total["claims"] == 1742 and [round(100 * total[key] / 1742) for key in ("there", "elsewhere", "gone")] == [85, 11, 4])
claim("We took 34 public repositories", len({row["repo"] for row in files}) == 34 and len(files) == 159)
claim("has 2,131 tokens in the median, and 12,826 at most",
      median(root.values()) == 2131 and max(root.values()) == 12826)
by_repo = {}
for repo in sorted({row["repo"] for row in history}):
    by_repo[repo] = [end != 0 for end in outcomes([row for row in history if row["repo"] == repo])]
rng, drawn = random.Random(1), []
for _ in range(2000):
    moves = [end for repo in rng.choices(list(by_repo), k=len(by_repo)) for end in by_repo[repo]]
    drawn.append(sum(moves) / len(moves))
drawn.sort()
claim("The 66 come from 23 of the repositories; drawn again by repository, 24% to 47% leave it behind",
      len(by_repo) == 23 and abs(drawn[50] - 0.24) < 0.015 and abs(drawn[-51] - 0.47) < 0.015)
commits = {}
for row in history:
    commits.setdefault((row["repo"], row["removed"]), []).append(row)
stale = [rest for rest in ([row for row in group if outcomes([row]) != [0]] for group in commits.values()) if rest]
left = sorted(map(len, stale))
claim("three account for 46 of the 75 names left wrong, and fourteen left one each",
      (len(left), sum(left[-3:]), sum(left), left.count(1)) == (24, 46, 75, 14))
claim("In 17 of the 24 commits at least one name left wrong has an ending of that list",
      sum(any(re.search(programs()["ENDING"] + "$", row["path"]) for row in rest) for rest in stale) == 17)
claim("as have 35 of the 75 names, and most others are folders",
      sum(bool(re.search(programs()["ENDING"] + "$", row["path"])) for rest in stale for row in rest) == 35
      and sum("." not in row["path"].rsplit("/", 1)[-1] for rest in stale for row in rest) == 37)
spans = [max(float(row["days"]) for row in rest) for rest in stale]
claim("half of the 24 were wrong for seven weeks or more", sum(span >= 49 for span in spans) == 12)
