"""Attempts that share a request, requests that differ, and other judges."""
import math
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

claim("none in 200 leaves open between 1.5% and 5.0% there, up to 13.6% with five requests, and more with fewer",
      (round(bound[20][0], 1), round(bound[20][-1], 1), round(bound[5][-1], 1)) == (1.5, 5.0, 13.6)
      and bound[1][-1] > bound[2][-1] > bound[5][-1])
ways = [math.comb(200, k) * math.comb(200, 13 - k) for k in range(14)]
claim("4 bad answers against 9 would not even show that the cards differ (p = 0.26 in Fisher's test)",
      round(sum(w for w in ways if w <= ways[4]) / sum(ways), 2) == 0.26)
claim("at a correlation of 0.1 the 77.9% are 29.2%", [round(rises[100][i], 1) for i in (0, 2)] == [77.9, 29.2])
claim("Card A is the worse one as long as its judge catches less than about 70% and raises few false alarms",
      cards[0.001][2] < 2.72 and cards[0.001][1] > 2.7 and max(cards[0.01]) < 2.7)
claim("if [the judge](#who-decided) catches 60% of the bad answers, none in 200 leaves open 2.5%",
      round(100 * article["highest"](200, 0) / 0.6, 1) == 2.5)
