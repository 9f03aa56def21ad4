"""Other chances, alike and unlike between facts, for what repeated summaries keep."""
import csv
from math import comb, exp, lgamma
from pathlib import Path
from article import claim, programs

names = programs()
kept, room = names["kept"], names["room"]


def mean_power(mean, spread, rounds):
    """Mean of chance ** rounds where chances have a beta distribution; a spread of 0 is all alike."""
    if not spread:
        return mean ** rounds
    a, b = mean * (1 / spread - 1), (1 - mean) * (1 / spread - 1)
    return exp(lgamma(a + rounds) + lgamma(a + b) - lgamma(a) - lgamma(a + b + rounds))


print("share of facts kept after             1     2     4     8    16 compactions")
after8 = {}
for mean in (0.8, 0.9, 0.95, 0.98):
    for spread, name in ((0, "all alike"), (0.1, "a little unlike"), (0.5, "very unlike")):
        shares = [mean_power(mean, spread, rounds) for rounds in (1, 2, 4, 8, 16)]
        after8[mean, spread] = shares[3]
        print(f"keeps {mean:<5.0%} {name:22s}" + "".join(f"{share:6.0%}" for share in shares))

print("\nonce and notes together lose      other facts    half the same    the same")
lost = {}
for written in (0.5, 0.8, 0.95):
    apart, same = (1 - 0.9) * (1 - written * 0.9), min(1 - 0.9, 1 - written * 0.9)
    lost[written] = apart, same
    print(f"written {written:<5.0%}" + "".join(f"{share:17.0%}" for share in (apart, (apart + same) / 2, same)))

claim("A compaction that keeps any fact nine times in ten keeps four in ten of the oldest after eight",
      round(kept("again", 8), 1) == 0.4)
claim("Summarized once, nine stay, in 40% more room",
      all(round(room("once", 8, segment=size)[0] / room("again", 8, segment=size)[0], 1) == 1.4 for size in (1000, 3000, 9000)))
claim("After 29 compactions they leave no room for a turn", room("once", 28)[1] == 1 and room("once", 29)[1] == 0)
claim("*Again* stops growing at 30,000", 29_900 < room("again", 80)[0] <= 30_000)


def held_to(limit, stretches=60, segment=3_000, keep=0.9):
    """What one compaction keeps in the end where the summary may not exceed so many tokens."""
    taken, share = 0, keep
    for _ in range(stretches):
        found = taken + segment / keep
        share = min(keep, limit / found)
        taken = share * found
    return share


claim("once full, it keeps three in five each time, and after eight compactions 2%",
      round(held_to(5_000), 2) == 0.6 and round(held_to(5_000) ** 8, 2) == 0.02 and held_to(40_000) == 0.9)
claim("With these numbers they are ahead of *again* from the fourth compaction on",
      kept("again", 3) > kept("notes", 3) and kept("again", 4) < kept("notes", 4))
claim("together lose three facts in a hundred if they overlook different ones, and up to ten if what is dull to one is dull",
      round(1 - kept("both", 8), 2) == round(lost[0.8][0], 2) == 0.03 and round(lost[0.8][1], 2) == 0.1)
claim("their error is 11 to 18 points to either side",
      [round(196 * (share * (1 - share) / 30) ** 0.5) for share in (0.9, 0.43)] == [11, 18])
claim("in [the table](#what-was-varied) up to 76%", round(100 * after8[0.9, 0.5]) == 76)
claim("more survive eight rounds", all(after8[mean, 0] < after8[mean, 0.1] < after8[mean, 0.5]
                                       for mean in (0.8, 0.9, 0.95, 0.98)))

with open(Path(__file__).parent.parent / "data/a-summary-of-a-summary.csv", encoding="utf-8") as lines:
    log = [{key: int(value) if key in ("compactions", "facts", "recalled", "keywords") else value for key, value in row.items()}
           for row in csv.DictReader(lines)]


def counted(way, least, most):
    """Facts asked for with so many compactions since, those that were recalled, and those whose words stood in the context."""
    rows = [row for row in log if row["way"] == way and least <= row["compactions"] <= most]
    return tuple(sum(row[key] for row in rows) for key in ("facts", "recalled", "keywords"))


def fisher(hits, of, others, among):
    """Probability of a table at least as unlikely, if both shares were the same."""
    ways = [comb(of, i) * comb(among, hits + others - i) for i in range(hits + others + 1)]
    return sum(way for way in ways if way <= ways[hits]) / sum(ways)


for least, most, line in ((0, 0, "| 0 | 4 of 9 | 44% | 2 of 8 | 25% |"), (1, 1, "| 1 | 12 of 24 | 50% | 9 of 24 | 38% |"),
                          (2, 3, "| 2 to 3 | 9 of 43 | 21% | 5 of 50 | 10% |"), (4, 7, "| 4 to 7 | 0 of 99 | 0% | 8 of 108 | 7% |"),
                          (8, 62, "| 8 to 62 | 19 of 439 | 4% | 23 of 504 | 5% |")):
    cells = []
    for way in ("again", "once"):
        facts, recalled, _ = counted(way, least, most)
        cells += [f"{recalled} of {facts}", f"{100 * recalled / facts:.0f}%"]
    claim(line, " | ".join(cells) == line.strip("| ").split(" | ", 1)[1])
words = [counted("once", *extent)[2] / counted("once", *extent)[0] for extent in ((1, 7), (8, 62))]
claim("still stood in the context for seven facts in ten, at 8 to 62 compactions as at one to seven",
      [round(share, 1) for share in words] == [0.7, 0.7])
claim("Beyond, it would leave none, and 19 of 439 are there", counted("again", 8, 62)[:2] == (439, 19)
      and sum(row["facts"] * 0.5 ** row["compactions"] for row in log if row["way"] == "again" and row["compactions"] >= 8) < 0.5)


def ahead(least, most):
    """Points by which once is ahead between so many compactions, and the p-value."""
    (facts, hits, _), (others, found, _) = counted("again", least, most), counted("once", least, most)
    return found / others - hits / facts, fisher(hits, facts, found, others)


claim("from four to seven compactions (p = 0.007 in Fisher's test", round(ahead(4, 7)[1], 3) == 0.007)
claim("From three to seven it is not (0.14), nor from four on (0.25), and from 32 on *again* is (0.03)",
      [round(ahead(*extent)[1], 2) for extent in ((3, 7), (4, 62), (32, 62))] == [0.14, 0.25, 0.03] and ahead(32, 62)[0] < 0)
claim("Where it is always the same dull facts that go, more stay, up to nine in ten",
      kept("again", 8) < after8[0.9, 0.5] < mean_power(0.9, 0.999, 8) <= kept("once", 8) == 0.9)
claim("and nine in ten if it is always the same ones", round(mean_power(0.9, 0.999, 8), 2) == 0.9)
between = [counted("again", *extent)[1] / counted("again", *extent)[0] for extent in ((1, 1), (2, 3), (4, 7))]
expected = [sum(row["facts"] * 0.5 ** row["compactions"] for row in log if row["way"] == "again" and least <= row["compactions"] <= most)
            / counted("again", least, most)[0] for least, most in ((1, 1), (2, 3), (4, 7))]
claim("From one compaction to seven, *again* sinks about as the formula says with 0.5",
      all(abs(seen - said) < 0.05 for seen, said in zip(between, expected)))
claim("here finding it was the rarer of the two", all(counted("once", *extent)[1] < counted("once", *extent)[2] / 2 for extent in ((1, 7), (8, 62))))
claim("as it did not find most of the facts that no compaction had touched",
      2 * sum(counted(way, 0, 0)[1] for way in ("again", "once")) < sum(counted(way, 0, 0)[0] for way in ("again", "once")))
