"""Other seeds, numbers of keys and distributions of the entries for the square root of d."""
import math
import random
from statistics import fmean, pstdev
from article import claim, programs

softmax, dot = programs()["softmax"], programs()["dot"]
DRAWS = {
    "normal": lambda rng: rng.gauss(0, 1),
    "uniform": lambda rng: rng.uniform(-3 ** 0.5, 3 ** 0.5),
    "heavy tails": lambda rng: rng.choice((-1, 1)) * rng.expovariate(1) / 2 ** 0.5,
    "mean 0.5": lambda rng: rng.gauss(0.5, 1),
}


def measure(draw, d, keys, seed, trials=40):
    rng, scores, tops = random.Random(seed), [], ([], [])
    for _ in range(trials):
        q = [draw(rng) for _ in range(d)]
        row = [dot(q, [draw(rng) for _ in range(d)]) for _ in range(keys)]
        scores += row
        tops[0].append(max(softmax(row)))
        tops[1].append(max(softmax([s / math.sqrt(d) for s in row])))
    return pstdev(scores) / math.sqrt(d), *map(fmean, tops), *(fmean(w * (1 - w) for w in t) for t in tops)


def span(values, digits=2):
    return f"{min(values):.{digits}f}-{max(values):.{digits}f}".rjust(13)


print("least and most of the seeds; raw and scaled: mean of the largest weight")
print("entries      keys    d    sd/sqrt(d)          raw       scaled")
table = {}
for name, keys, widths in (("normal", 4, (4, 64)), ("normal", 16, (4, 64, 256)), ("normal", 256, (4, 64)),
                           ("uniform", 16, (4, 64)), ("heavy tails", 16, (4, 64)), ("mean 0.5", 16, (4, 64))):
    for d in widths:
        rows = [measure(DRAWS[name], d, keys, seed) for seed in range(20 if keys <= 16 and d < 256 else 4)]
        table[name, keys, d] = columns = list(zip(*rows))
        print(f"{name:12s}{keys:5d}{d:5d} " + "".join(map(span, columns[:3])))

claim("The measured spread is within a fifth of the root of the width from 16 on, unless the mean is not zero",
      all(0.8 < sd < 1.2 for (name, _, d), columns in table.items() if d >= 16 and name != "mean 0.5" for sd in columns[0]))
claim("Without scaling, the top weight climbs toward 1 as the width grows",
      all(max(table[name, keys, 4][1]) < min(table[name, keys, 64][1]) for name, keys, d in table if d == 64))
scaled = [w for (_, keys, d), columns in table.items() if keys == 16 for w in columns[2]]
claim("with scaling, it stays between 0.19 and 0.31 for 16 keys", 0.185 < min(scaled) and max(scaled) < 0.315)
claim("at 0.04 to 0.05 for 256", all(0.035 < w < 0.055 for d in (4, 64) for w in table["normal", 256, d][2]))
claim("at a width of 64 it lies between 0.70 and 0.94",
      all(0.695 < w < 0.945 for (_, _, d), columns in table.items() if d == 64 for w in columns[1]))
claim("once it is above a half the slope shrinks",
      all(max(table["normal", keys, wide][3]) < min(table["normal", keys, narrow][3])
          for keys, narrow, wide in ((4, 4, 64), (16, 64, 256))))


def crowd(seed, d=64, keys=4096, trials=40):
    """Mean of the largest raw weight; given the query, the scores are normal with its length as their spread."""
    rng, tops = random.Random(seed), []
    for _ in range(trials):
        size = math.sqrt(sum(rng.gauss(0, 1) ** 2 for _ in range(d)))
        tops.append(max(softmax([size * rng.gauss(0, 1) for _ in range(keys)])))
    return fmean(tops)


claim("At a width of 64 and among 4,096 keys the first takes about two thirds", all(0.58 < crowd(seed) < 0.75 for seed in range(4)))
