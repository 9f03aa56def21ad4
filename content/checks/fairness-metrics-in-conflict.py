"""Other base rates and precisions for the forced gap, random pairs of groups, and other samples for its interval."""
import random
from math import comb, log, sqrt
from statistics import NormalDist
from article import claim, programs

article = programs()
rates, SCORES = article["rates"], article["SCORES"]

print("false positive rate that is forced in B, %, where A has 50% positives and")
print("precision and recall, of 0.64, are the same in both")
print("precision      in A   B: 49%   45%   40%   32%   20%   10%")
forced = {}
for precision in (0.6, 0.8, 0.95, 0.99):
    forced[precision] = row = [100 * p / (1 - p) * (1 - precision) / precision * 0.64 for p in (0.5, 0.49, 0.45, 0.4, 0.32, 0.2, 0.1)]
    print(f"{precision:9.2f}{row[0]:10.1f}{row[1]:9.1f}" + "".join(f"{v:6.1f}" for v in row[2:]))

print()
print("random pairs of groups with calibrated scores, one cut at 0.7: gaps in points,")
print("median and nine tenths of 1,000 pairs, by how far the base rates are apart")
rng, rows = random.Random(4), []
while len(rows) < 4000:
    groups = [[rng.randrange(20, 500) for _ in SCORES] for _ in "AB"]
    a, b = (rates(people, [1, 1, 0, 0, 0]) for people in groups)
    rows.append([100 * abs(float(a[k] - b[k])) for k in ("base", "PPV", "TPR", "FPR")])
bands = {}
for low, high in ((0, 2), (2, 5), (5, 10), (10, 20)):
    some = [row for row in rows if low <= row[0] < high]
    bands[low] = [(sorted(c)[len(c) // 2], sorted(c)[9 * len(c) // 10]) for c in list(zip(*some))[1:]]
    print(f"base {low:2d} to {high:2d} apart: " + " ".join(
        f"{k} {m:4.1f} {n:5.1f}" for k, (m, n) in zip(("precision", "recall", "FPR"), bands[low])))

print()
print("a true recall gap of 14 points (0.64 and 0.50): found in so many audits, %")
power = {}
for a, b in ((50, 32), (100, 64), (200, 128), (300, 192), (500, 320)):
    found_a, found_b = ([(k / n, comb(n, k) * rate ** k * (1 - rate) ** (n - k)) for k in range(n + 1)]
                        for n, rate in ((a, 0.64), (b, 0.5)))
    power[a] = 100 * sum(p * q for x, p in found_a for y, q in found_b
                         if x - y > 1.96 * (x * (1 - x) / a + y * (1 - y) / b) ** 0.5)
    print(f"positives {a} and {b}:".ljust(24) + f"{power[a]:5.0f}")

claim("At base rates of 50% and 45%, a recall of 0.64 and a precision of 0.80 the false positive rates must differ by 2.9 points, at a precision of 0.95 by 0.6",
      [round(forced[p][0] - forced[p][2], 1) for p in (0.8, 0.95)] == [2.9, 0.6])
# With equal precision and false positive rates, recalls differ as the odds of the base rates do.
claim("Put into recall instead, the gap is 14 points at either",
      [round(64 * (forced[p][0] / forced[p][2] - 1)) for p in (0.8, 0.95)] == [14, 14])
claim("Among random pairs whose base rates are within 2 points of each other the recall gap is still 10 points in half of the pairs",
      round(bands[0][1][0]) == 10)
claim("A gap as large as this one is found in 25% of audits with 50 and 32 positives, in 71% with 200 and 128",
      (round(power[50]), round(power[200])) == (25, 71))


def cut(base, distance):
    """Recall and AUC at a cut of 0.7 where the log odds of the two kinds are bell-shaped, so far apart in deviations."""
    normal = NormalDist()
    border = (log(0.7 / 0.3) - log(base / (1 - base))) / distance
    return 1 - normal.cdf(border - distance / 2), normal.cdf(distance / sqrt(2))


gaps = {round(cut(0.5, d)[1], 2): round(100 * (cut(0.5, d)[0] - cut(0.32, d)[0])) for d in (0.6, 1, 2.5)}
claim("the recall gap at 0.7 is 12 points at an AUC of 0.66, 23 at 0.76 and 9 at 0.96", gaps == {0.66: 12, 0.76: 23, 0.96: 9})
