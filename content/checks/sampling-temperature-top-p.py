"""Other tails and other values of p for the cliff of top-p after temperature."""
import math
from article import claim


def sharpen(probs, t):
    weights = [p ** (1 / t) for p in probs]
    total = sum(weights)
    return [w / total for w in weights]


def kept(probs, p):
    """How many tokens top-p keeps of probabilities that fall."""
    mass = 0.0
    for count, probability in enumerate(probs, 1):
        mass += probability
        if mass >= p:
            return count
    return len(probs)


def shape(tail, size, falls=False):
    """Twenty plausible tokens and a tail, flat or falling as one over the rank."""
    head = [math.exp(-0.25 * i) for i in range(20)]
    low = [1 / (i + 1) if falls else 1 for i in range(size)]
    heads, lows = sum(head), sum(low)
    return [(1 - tail) * x / heads for x in head], [tail * x / lows for x in low]


def cliff(tail, size, p, falls=False):
    """The first temperature, in steps of 0.05, at which top-p keeps more than the twenty plausible tokens."""
    probs = sorted(sum(shape(tail, size, falls), []), reverse=True)
    low, high = 14, 60
    while low < high:
        step = (low + high) // 2
        if kept(sharpen(probs, step / 20), p) > 20:
            high = step
        else:
            low = step + 1
    return low / 20


print("temperature from which top-p keeps tokens of the tail, temperature first")
print("mass and size of the tail    p 0.9  p 0.95  p 0.99")
table = {}
for tail in (0.002, 0.01, 0.02, 0.04):
    for size in (1_000, 49_980):
        table[tail, size] = [cliff(tail, size, p) for p in (0.9, 0.95, 0.99)]
        print(f"{100 * tail:3.1f}% in {size:6,d} tokens       " + "".join(f"{t:8.2f}" for t in table[tail, size]))

print()
print("the same, where the tail falls as one over the rank")
falling = {}
for tail in (0.01, 0.02, 0.04):
    falling[tail] = [cliff(tail, 49_980, p, True) for p in (0.9, 0.95, 0.99)]
    print(f"{100 * tail:3.1f}% in 49,980 tokens       " + "".join(f"{t:8.2f}" for t in falling[tail]))
print()
print("temperature from which min-p of 0.05 keeps tokens of a flat tail")
least = {}
for tail in (0.002, 0.02, 0.04):
    head, low = shape(tail, 49_980)
    least[tail] = next(step / 20 for step in range(14, 200) if (low[0] / head[0]) ** (20 / step) >= 0.05)
    print(f"{100 * tail:3.1f}% in 49,980 tokens       {least[tail]:8.2f}")

every = [t for row in table.values() for t in row]
short = [cliff(tail, 100, p) for tail in (0.002, 0.01, 0.02, 0.04) for p in (0.9, 0.95, 0.99)]
claim("Other tails and other values of p move it, from 0.85 to 1.65, and from 0.80 to 2.00 where the tail has only 100 tokens.",
      (min(every), max(every), min(short), max(short)) == (0.85, 1.65, 0.8, 2.0))
claim("At p = 0.99 and a tail of 2% or more it lay below 1",
      all(table[tail, size][2] < 1 for tail in (0.02, 0.04) for size in (1_000, 49_980)))

claim("A tail that falls as one over the rank moved it by at most 0.05",
      max(abs(falling[tail][i] - table[tail, 49_980][i]) for tail in falling for i in range(3)) < 0.051)
curve = sorted(sum(shape(0.02, 49_980, True), []), reverse=True)
claim("19 tokens at 1.1, 1,518 at 1.2, 34,115 at 1.5", [kept(sharpen(curve, t), 0.95) for t in (1.1, 1.2, 1.5)] == [19, 1518, 34115])
flat = sorted(sum(shape(0.02, 49_980), []), reverse=True)
early = flat[:kept(flat, 0.99)]
claim("25,011 tokens were in before the heating, and at $T = 1.5$ the poor ones took 37% of the steps",
      (len(early), round(100 * sum(sharpen(early, 1.5)[20:]))) == (25_011, 37))
claim("With a top-k of 50 between temperature and top-p, 15 tokens were kept at $T = 1.5$ and $p = 0.95$",
      kept(sharpen(sharpen(flat, 1.5)[:50], 1), 0.95) == 15)
claim("with one of 1,000, 663 at $T = 2$", kept(sharpen(sharpen(flat, 2)[:1000], 1), 0.95) == 663)
claim("in this example just above a temperature of 4.4", 4.4 < least[0.02] <= 4.45)
warm = sharpen(flat, 1.5)
claim("above, to 0.86 at $T = 1.2$ and to 0.45 at 1.5, where even 0.6 left 24% of the steps to it",
      round(100 * sum(sharpen(warm[:kept(warm, 0.6)], 1)[20:])) == 24
      and all(kept(sharpen(flat, t), p) <= 20 < kept(sharpen(flat, t), p + 0.01) for t, p in ((1.2, 0.86), (1.5, 0.45))))
