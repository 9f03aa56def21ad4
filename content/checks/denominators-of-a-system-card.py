"""Attempts that share a request, requests that differ, other judges, and the correlations that nine cards of 2026 let one read off."""
import csv
import math
import statistics
from pathlib import Path
from article import claim, programs

article = programs()
true_rate = article["true_rate"]


def silent(mean, spread, attempts):
    """Chance that a request whose rate is drawn with this mean and correlation gives no success in some attempts."""
    if spread == 0:
        return (1 - mean) ** attempts
    a, b = mean * (1 - spread) / spread, (1 - mean) * (1 - spread) / spread
    return math.exp(math.lgamma(b + attempts) - math.lgamma(b) + math.lgamma(a + b) - math.lgamma(a + b + attempts))


def highest(requests, attempts, spread):
    """The largest mean rate that no success at all leaves open, at 5%."""
    low, high = 0.0, 0.99
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if silent(middle, spread, attempts) ** requests > 0.05 else (low, middle)
    return low


SPREADS = (0, 0.01, 0.1, 0.5)
print("rate that none in 200 leaves open, %")
print("correlation within a request    " + "".join(f"{s:8}" for s in SPREADS))
bound = {}
for requests, attempts in ((200, 1), (40, 5), (20, 10), (5, 40), (2, 100), (1, 200)):
    row = bound[requests] = [100 * highest(requests, attempts, s) for s in SPREADS]
    print(f"{requests:3d} requests, {attempts:3d} attempts each  " + "".join(f"{v:8.1f}" for v in row))

print()
print("at least one success, %, at a mean rate of 1.5% per attempt")
print("attempts                        " + "".join(f"{s:8}" for s in SPREADS))
rises = {}
for tries in (1, 10, 100, 1000):
    rises[tries] = [100 * (1 - silent(0.015, s, tries)) for s in SPREADS]
    print(f"{tries:5d}                           " + "".join(f"{v:8.1f}" for v in rises[tries]))

print()
print("true rate behind card A's 2.0%, by what its judge catches (card B: 2.7%)")
print("false alarms                  " + "".join(f"{c:8.0%}" for c in (0.5, 0.6, 0.7, 0.8, 0.95)))
cards = {}
for alarms in (0, 0.001, 0.005, 0.01):
    cards[alarms] = [100 * true_rate(0.02, c, alarms) for c in (0.5, 0.6, 0.7, 0.8, 0.95)]
    print(f"{alarms:6.1%}                        " + "".join(f"{v:8.1f}" for v in cards[alarms]))

claim("none in 200 leaves open between 1.5% and 5.0% there, up to 13.6% with five requests",
      (round(bound[20][0], 1), round(bound[20][-1], 1), round(bound[5][-1], 1)) == (1.5, 5.0, 13.6)
      and bound[1][-1] > bound[2][-1] > bound[5][-1])
claim("it may be up to 13.9%, which is what twenty leave open",
      all(highest(20, 10, s) <= article["highest"](20, 0) for s in (0, 0.1, 0.5, 0.9, 0.99)) and round(100 * highest(20, 10, 0.999), 1) == 13.9)
claim("if k == n", all(article["highest"](n, n) == 1 for n in (0, 1, 5)) and 2.2 < 100 * article["highest"](10_000, 200) < 2.3)
claim("to about ten points", round(196 * math.sqrt(0.6 * 0.4 / 100)) == 10)
claim("halves rounded either way", all(article["fits"]((share,), 8)[-1] == 8 for share in ("0.12", "0.13")) and article["fits"](("1", "0"), 2) == [1, 2])
ways = [math.comb(200, k) * math.comb(200, 13 - k) for k in range(14)]
claim("4 bad answers against 9 would not even show that the cards differ (p = 0.26 in Fisher's test)",
      round(sum(w for w in ways if w <= ways[4]) / sum(ways), 2) == 0.26)
claim("with a correlation of 0.1, the 77.9% are 29.2%", [round(rises[100][i], 1) for i in (0, 2)] == [77.9, 29.2])
claim("Card A is the worse one as long as its judge catches less than about 70% and raises few false alarms",
      cards[0.001][2] < 2.72 and cards[0.001][1] > 2.7 and max(cards[0.01]) < 2.7)
claim("if [the judge](#who-decided) catches 60% of the bad answers, none in 200 leaves open 2.5%",
      round(100 * article["highest"](200, 0) / 0.6, 1) == 2.5)


DATA = Path(__file__).parent.parent / "data"
with open(DATA / "denominators-of-a-system-card.csv", encoding="utf-8") as lines:
    printed = list(csv.DictReader(lines))
with open(DATA / "denominators-of-a-system-card-rows.csv", encoding="utf-8") as lines:
    rows = list(csv.DictReader(lines))


def correlation(rate, broken, scenarios, attempts):
    """The correlation at which this rate per attempt leaves so many scenarios without a success."""
    low, high = 0.0, 0.999
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if silent(rate, middle, attempts) < 1 - broken / scenarios else (low, middle)
    return low


read = {"coding": [], "browser": []}
for row in rows:
    read[row["surface"]].append(correlation(float(row["percent_of_attempts"]) / 100, int(row["scenarios_broken"]),
                                            int(row["scenarios"]), int(row["attempts_each"])))
print()
print("correlation of attempts in a scenario, read from the cards' other rows")
for surface, found in read.items():
    print(f"{surface:8} {len(found)} rows, from {min(found):.2f} to {max(found):.2f}, median {statistics.median(found):.2f}")
print("rate per attempt that a zero leaves open at it, %, by correlation")
known = (0, 0.05, 0.27, 0.45, 0.7)
print("                    " + "".join(f"{s:8}" for s in known))
left = {}
for scenarios, attempts in ((129, 10), (148, 10), (40, 200), (10, 20)):
    left[scenarios] = [100 * highest(scenarios, attempts, s) for s in known]
    print(f"{scenarios:4d} x {attempts:3d}          " + "".join(f"{v:8.2f}" for v in left[scenarios]))

zeros = article["zeros"]
exact = article["highest"]
counted = [(int(row["scenarios"]), int(row["attempts_each"]), row["printed"]) for row in printed if row["scenarios"]]
claim("Nine have a denominator", sorted(counted) == sorted((n, each, as_printed) for _, _, as_printed, n, each in zeros) and len(zeros) == 9)
claim("Five more zeros have no denominator", sum(not row["scenarios"] for row in printed) == 5)
claim("nine cards of 2026, by four makers", (len({row["card"] for row in printed}), len({row["maker"] for row in printed})) == (9, 4)
      and all(row["published"].startswith("2026-") for row in printed))
ratios = [exact(n, 0) / exact(n * each, 0) for *_, n, each in zeros if each > 1]
claim("it is 3 to 193 times as high where there were several attempts at each", [round(min(ratios)), round(max(ratios))] == [3, 193])
claim("Independent ones would have broken 24 of the 40 scenarios; they broke eight. That is a correlation of 0.05",
      (round(40 * (1 - silent(0.0045, 0, 200))), round(correlation(0.0045, 8, 40, 200), 2)) == (24, 0.05))
claim("Over 50 such rows it runs from 0.00 to 0.27 on code and from 0.01 to 0.70 in the browser, where half are above 0.45",
      len(rows) == 50 and [round(f(read[s]), 2) for s in read for f in (min, max)] == [0, 0.27, 0.01, 0.7]
      and round(statistics.median(read["browser"]), 2) == 0.45)
claim("At 0.45, none in 1,290 leaves open 0.7% of attempts, three times what the table says",
      round(left[129][3], 1) == 0.7 and round(left[129][3] / (100 * exact(1290, 0))) == 3)
fits = article["fits"]
claim("rests on 53, 106, 159 or 160 conversations, or at least 212, if all columns are of one set. With 53, it leaves open 5.5%", round(100 * exact(53, 0), 1) == 5.5
      and fits(("1.000", "0.925", "0.962", "0.981"), 211) == [53, 106, 159, 160])
claim("The 1.000 for prompt injection needs 800 or more, and leaves open at most 0.4%", round(100 * exact(800, 0), 1) == 0.4
      and fits(("0.649", "0.971", "0.998", "1.000", "0.999"), 799) == [])
claim("from a neighbor's 0.11%, which is one in 900", [runs for runs in range(1, 10) if f"{100 / (300 * runs):.2f}" == "0.11"] == [3])
claim("by pattern, the zero leaves open 13.9%", round(100 * exact(20, 0), 1) == 13.9)
claim("None from a judge that flags good answers as often as bad ones.",
      [true_rate(0.02, *judge) for judge in ((0.1, 0.1), (0.1, 0.2))] == [None, None] and true_rate(0.9, 0.6, 0.0) == 1)
