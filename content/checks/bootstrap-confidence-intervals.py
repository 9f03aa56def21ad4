"""Other seeds, pairs of models, and numbers and likeness of users."""
import random
from article import claim, programs

article = programs()
mean, quantile, standard_error = article["mean"], article["quantile"], article["standard_error"]


def widths(kept, mended, n, seed):
    """Widths of the paired and the separate 95% interval of the gain, and whether the paired one excludes zero."""
    rng = random.Random(seed)
    pairs = [(a, int(rng.random() < (kept if a else mended))) for a in (int(rng.random() < 0.8) for _ in range(n))]
    left, right = zip(*pairs)
    paired = sorted(mean([b - a for a, b in rng.choices(pairs, k=n)]) for _ in range(200))
    separate = sorted(mean(rng.choices(right, k=n)) - mean(rng.choices(left, k=n)) for _ in range(200))
    (low, high), (low2, high2) = ((quantile(x, 0.025), quantile(x, 0.975)) for x in (paired, separate))
    return (high2 - low2) / (high - low), low > 0 or high < 0, low2 > 0 or high2 < 0


print("20 test sets: width of separate over paired, and how many exclude zero")
print("B keeps  mends  items         ratio   paired  separate")
pairs = {}
for kept, mended, n in ((0.98, 0.25, 200), (0.98, 0.25, 500), (0.98, 0.25, 1000), (0.95, 0.35, 500),
                        (0.9, 0.5, 500), (0.85, 0.8, 500)):
    rows = [widths(kept, mended, n, seed) for seed in range(20)]
    ratios = [row[0] for row in rows]
    pairs[kept, n] = ratios, sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{kept:7.0%}{mended:7.0%}{n:7d}{f'{min(ratios):.1f} to {max(ratios):.1f}':>14}{pairs[kept, n][1]:9d}{pairs[kept, n][2]:10d}")


def covered(users, sessions, likeness, trials=400):
    """Shares of 95% intervals over rows and over users that hold the true mean, by normal limits of the same bootstraps."""
    rng, hits = random.Random(users * sessions + int(10 * likeness)), [0, 0]
    for _ in range(trials):
        groups = []
        for _ in range(users):
            rate = rng.betavariate(likeness, likeness)
            groups.append(sum(rng.random() < rate for _ in range(sessions)))
        center, n = sum(groups) / users / sessions, users * sessions
        again = sorted(mean(rng.choices(groups, k=users)) / sessions for _ in range(200))
        hits[1] += quantile(again, 0.025) <= 0.5 <= quantile(again, 0.975)
        half = 1.96 * (center * (1 - center) / n) ** 0.5
        hits[0] += center - half <= 0.5 <= center + half
    return [100 * h / trials for h in hits]


print()
print("held by 95% intervals    over rows  over users")
kept = {}
for users, sessions, likeness in ((40, 25, 2), (5, 25, 2), (10, 25, 2), (200, 25, 2), (40, 5, 2), (40, 25, 20), (40, 25, 0.5)):
    kept[users, sessions, likeness] = covered(users, sessions, likeness)
    name = f"{users} x {sessions}, Beta({likeness}, {likeness})"
    print(f"{name:24s}" + "".join(f"{h:9.0f}%  " for h in kept[users, sessions, likeness]))

claim("on twenty test sets it was 1.6 to 2.8 times", [round(f(pairs[0.98, 500][0]), 1) for f in (min, max)] == [1.6, 2.8])
claim("the paired interval excluded zero on all of them, the separate one on 5", pairs[0.98, 500][1:] == (20, 5))
claim("Where the two models err independently, pairing buys nothing", 0.75 < min(pairs[0.85, 500][0]) and max(pairs[0.85, 500][0]) < 1.45)
claim("with five users 86%, with ten 91%", [round(kept[u, 25, 2][1]) for u in (5, 10)] == [86, 91])
claim("over rows it is 56% to 58% with any number of users", all(55.5 < kept[u, 25, 2][0] < 58.5 for u in (5, 10, 40, 200)))
