"""Other recalls, alarm rates and thresholds for the precision of a guardrail."""
import csv
import random
from math import sqrt
from pathlib import Path
from article import claim, programs

names = programs()
precision_at, test_rate, recall = names["precision_at"], names["alarm_rate"], names["recall"]
with open(Path(__file__).parent.parent / "data/guardrails-and-base-rates.csv", encoding="utf-8") as lines:
    rows = list(csv.DictReader(lines))
texts = sum(int(row["texts"]) for row in rows)
flagged = {threshold: sum(int(row[threshold]) for row in rows) for threshold in list(rows[0])[2:]}
ours = flagged["0.5"] / texts

BASES = (0.02, 0.001, 0.0001)
print("share of blocks that are right        1 in 50  1 in 1,000  1 in 10,000")


def line(name, **at):
    shares = [precision_at(base, **at) for base in BASES]
    print(f"{name:34s}" + "".join(f"{share:>{width}.1%}" for share, width in zip(shares, (11, 12, 13))))
    return shares


test = line("alarms of the test set, 3.6%")
perfect = line("  and recall 100%", recall=1)
line("  and recall 45%", recall=0.45)
tenth = line("a tenth of them, 0.36%", alarm_rate=test_rate / 10)
docs = line("alarms on docstrings, 0.07%", alarm_rate=ours)
line("  and recall 45%", alarm_rate=ours, recall=0.45)
for threshold, count in flagged.items():
    print(f"threshold {threshold}: {count:3d} of {texts:,} docstrings flagged, {count / texts:.3%}")
by_package = [int(row["0.5"]) / int(row["texts"]) for row in rows if int(row["texts"]) > 1000]
print(f"threshold 0.5, packages with over 1,000 texts: {min(by_package):.2%} to {max(by_package):.2%}")

claim("A classifier with 86% precision on its test set has 2% at one offensive message in a thousand, recall and false alarms the same",
      round(100 * precision_at(0.2)) == 86 and round(100 * test[1]) == 2)
claim("At its threshold of 0.5 there were 17, or 0.07%, fifty times fewer than in its test set",
      flagged["0.5"] == 17 and round(100 * ours, 2) == 0.07 and 45 < test_rate / ours < 55)
claim("56% of the blocks would be right at one offensive text in a thousand, and 11% at one in ten thousand",
      [round(100 * share) for share in docs[1:]] == [56, 11])
claim("raising recall from 90% to 100% adds 2.5 points at one in 50 and 0.3 at one in a thousand",
      [round(100 * (p - t), 1) for p, t in zip(perfect, test)][:2] == [2.5, 0.3])
claim("A tenth of the false alarms gives 2.4% at one in 10,000, what ten times the base rate gives with all of them",
      abs(tenth[2] - test[1]) < 0.002)
claim("A block stops forty harmless messages for each offensive one", round(1 / test[1] - 1, -1) == 40)
z = 1.96
center = (17 + z * z / 2) / (texts + z * z)
spread = z * sqrt(17 * (1 - 17 / texts) + z * z / 4) / (texts + z * z)
claim("Seventeen in 24,028 put our rate between 0.04% and 0.11% if each text is a draw of its own",
      (round(100 * (center - spread), 2), round(100 * (center + spread), 2)) == (0.04, 0.11))
rng, drawn = random.Random(1), []
for _ in range(2000):
    again = rng.choices(rows, k=len(rows))
    drawn.append(sum(int(row["0.5"]) for row in again) / sum(int(row["texts"]) for row in again))
claim("with whole packages drawn again the interval begins at 0.02%", round(100 * sorted(drawn)[50], 2) == 0.02)
claim("at the rate of the test set, 10,000 messages a day raise 2,500 in that week, at that of our docstrings 50",
      round(70_000 * test_rate, -2) == 2_500 and round(70_000 * ours) == 50)
claim("3.6% a message is a block in half of all conversations of 20 messages", 0.48 < 1 - (1 - test_rate) ** 20 < 0.53)
