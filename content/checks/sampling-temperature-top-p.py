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


def cliff(tail, size, p):
    """The first temperature, in steps of 0.05, at which top-p keeps a token of the tail."""
    head = [math.exp(-0.25 * i) for i in range(20)]
    probs = [(1 - tail) * x / sum(head) for x in head] + [tail / size] * size
    for step in range(14, 61):
        if kept(sharpen(probs, step / 20), p) > 20:
            return step / 20
    return math.inf


print("temperature from which top-p keeps tokens of the tail, temperature first")
print("mass and size of the tail    p 0.9  p 0.95  p 0.99")
table = {}
for tail in (0.002, 0.01, 0.02, 0.04):
    for size in (1_000, 49_980):
        table[tail, size] = [cliff(tail, size, p) for p in (0.9, 0.95, 0.99)]
        print(f"{100 * tail:3.1f}% in {size:6,d} tokens       " + "".join(f"{t:8.2f}" for t in table[tail, size]))

every = [t for row in table.values() for t in row]
claim("Other tails and other values of p move it, from 0.85 to 1.65.", (min(every), max(every)) == (0.85, 1.65))
claim("at 0.99 and a tail of 2% or more it lies below 1",
      all(table[tail, size][2] < 1 for tail in (0.02, 0.04) for size in (1_000, 49_980)))
claim("A shorter tail puts it off by at most 0.25.",
      all(table[tail, 1_000][i] - table[tail, 49_980][i] < 0.251 for tail in (0.002, 0.01, 0.02, 0.04) for i in range(3)))
