"""Other rates, rises, shares and numbers of looks for the size of a canary and the price of peeking."""
import random
from article import claim, programs

names = programs("run|norun: takes more than a second in a browser")
canary_size, rollback_rate = names["canary_size"], names["rollback_rate"]

print("2,000 canaries of the planned size: stopped without a change, and with the rise")
print("rate, rise          share 1%        5%              20%             50%")
kept = {}
for p0, p1 in ((0.02, 0.04), (0.02, 0.025), (0.002, 0.004), (0.1, 0.11), (0.3, 0.33)):
    cells = []
    for share in (0.01, 0.05, 0.2, 0.5):
        n, rng = canary_size(p0, p1, share), random.Random(5)
        stops = []
        for p in (p0, p1):
            stopped = 0
            for _ in range(2000):
                bad = [round(max(0, rng.gauss(m * q, (m * q * (1 - q)) ** 0.5)))
                       if m * q > 30 else sum(rng.random() < q for _ in range(m))
                       for m, q in ((n, p), (round(n * (1 - share) / share), p0))]
                stopped += names["z_score"](bad[0], n, bad[1], round(n * (1 - share) / share)) > 1.645
            stops.append(stopped / 2000)
        kept[p0, p1, share] = stops
        cells.append(f"{stops[0]:.3f} {stops[1]:.2f}")
    print(f"{100 * p0:.1f}%, {100 * p1:.1f}%".ljust(20) + "".join(c.ljust(16) for c in cells).rstrip())

print()
print("stopped without a change, by looks at the same limit: least to most of 5 seeds")
print("rate        1 look             5                  10                 50")
peeked = {}
for p0, n in ((0.02, 5530), (0.02, 20_000), (0.1, 5530), (0.3, 5530)):
    cells = []
    for looks in (1, 5, 10, 50):
        rates = [rollback_rate(p0, looks, 1.645, n_c=n, p_0=p0, runs=1000, seed=seed) for seed in range(5)]
        peeked[p0, n, looks] = rates
        cells.append(f"{min(rates):.3f} to {max(rates):.3f}")
    print(f"{100 * p0:.0f}%, {n:,}".ljust(12) + "".join(c.ljust(19) for c in cells).rstrip())

claim("A feature of type `float` would refuse 3, which is how JavaScript writes 3.0",
      names["check"]({"x": 3}, {"features": {"x": (float, 0, 10)}}) == ["x: int, expected float"])
claim("Canaries of the computed size, simulated at five pairs of rates and four shares, stopped 4% to 7% of harmless "
      "releases and 77% to 81% of the others",
      [round(100 * f(v[i] for v in kept.values())) for i in (0, 1) for f in (min, max)] == [4, 7, 77, 81])
days = [(canary_size(0.02, 0.025, share) / share / 1440, canary_size(0.02, 0.025, share) * 0.005) for share in (0.05, 0.5)]
claim("at one request per minute it is eleven weeks. Half the traffic would do it in "
      "15 days, with 54 extra bad outcomes in place of 28",
      [(round(d), round(bad)) for d, bad in days] == [(77, 28), (15, 54)])
arms = [sum(share * rate for share, rate in arm) / sum(share for share, _ in arm)
        for arm in (((5, 0.02), (20, 0.03)), ((95, 0.02), (80, 0.03)))]
claim("one day at 5% with 2% bad outcomes and one at 20% with 3% give 2.8% in the canary and 2.5% in the control",
      [f"{100 * rate:.1f}" for rate in arms] == ["2.8", "2.5"])
claim("It was 15% to 19% at the other rates and sizes tried, and with fifty looks 25% to 33%",
      [round(100 * f(x for k, v in peeked.items() if k[2] == looks for x in v))
       for looks in (10, 50) for f in (min, max)] == [15, 19, 25, 33])
