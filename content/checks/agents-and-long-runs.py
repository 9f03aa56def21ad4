"""Other reliabilities, checkers and lengths: how much the place of a check changes success and cost."""
import random
from article import claim, programs

names = programs()
design, capped, voted = names["design"], names["capped"], names["voted"]
EVERY = (50, 25, 10, 5, 2, 1)
CASES = {
    "as in the text": (0.98, 50, 0.9, 0.05), "steps of 99.5%": (0.995, 50, 0.9, 0.05),
    "steps of 95%": (0.95, 50, 0.9, 0.05), "half caught": (0.98, 50, 0.5, 0.05), "70% caught": (0.98, 50, 0.7, 0.05),
    "99% caught": (0.98, 50, 0.99, 0.05), "alarms 20%": (0.98, 50, 0.9, 0.2),
    "200 steps": (0.98, 200, 0.9, 0.05),
}
print("success in percent, by steps between checks")
print("".ljust(24) + "".join(f"{every:7d}" for every in EVERY))
table = {}
for name, (p, n, caught, alarm) in CASES.items():
    table[name] = [100 * design(p, n, every, caught, alarm)[0] for every in EVERY]
    print(name.ljust(24) + "".join(f"{success:7.1f}" for success in table[name]))
# A checker that sees less in longer pieces: 90% of the errors of one step, 50% of those of fifty.
weak = [100 * design(0.98, 50, every, 0.9 - 0.4 * (every - 1) / 49, 0.05)[0] for every in EVERY]
print("long pieces hide errors".ljust(24) + "".join(f"{success:7.1f}" for success in weak))

print("\ncost in steps, by the price of a check")
cheapest, bill = {}, {}
for price in (0.1, 2, 10):
    costs = [design(0.98, 50, every, 0.9, 0.05, price)[1] for every in EVERY]
    cheapest[price] = EVERY[costs.index(min(costs))]
    bill[price] = round(max(costs) / min(costs))
    print(f"a check costs {price}".ljust(24) + "".join(f"{cost:7.0f}" for cost in costs))

print("\nsegments right and wrong in percent   three tries  no limit")
later = {}
for right in (0.5, 0.6, 0.82, 0.9):
    for hard in (0.01, 0.1, 0.3):
        three, endless = ([100 * x for x in capped(right, hard, tries)] for tries in (3, 10_000))
        later[right, hard] = endless[0] - three[0], endless[1] - three[1]
        print(f"right {right:.0%}, impossible {hard:.0%}".ljust(39) + f"{three[0]:5.1f}{three[1]:5.1f}{endless[0]:7.1f}{endless[1]:5.1f}")

spread = {name: max(row) - min(row) for name, row in table.items()}
claim("With steps of 98% or better and fifty of them, the best and the worst place of the check are at most 9 points apart.",
      max(max(row) - min(row) for p in (0.98, 0.99, 0.995) for caught in range(0, 100, 5) for alarm in (0, 0.05, 0.2, 0.5)
          for row in [[100 * design(p, 50, every, caught / 100, alarm)[0] for every in EVERY]]) < 9)
claim("for a check as cheap as a tenth of a step the floor is at every second one, for a check as dear as ten steps at every 25",
      (cheapest[0.1], cheapest[10]) == (2, 25))
def bills(price):
    """How much the dearest place of the check costs over the cheapest, for good checkers and bad ones."""
    rows = [[design(0.98, 50, every, caught, alarm, price)[1] for every in EVERY]
            for caught in (0.3, 0.5, 0.7, 0.9, 0.99) for alarm in (0, 0.05, 0.2, 0.5)]
    return [max(row) / min(row) for row in rows]

claim("and the bill by a factor of two",
      min(bills(2)) > 2)
weak_or_better = [(design(0.95, 50, every, 0.99, 0.05)[0], design(0.99, 50, every, 0.9, 0.05)[0]) for every in EVERY]
claim("if there are two checks or more: with a single one at the end it has 0.888, and the better model 0.936",
      [round(x, 3) for x in weak_or_better[0]] == [0.888, 0.936] and all(a > b for a, b in weak_or_better[1:]))

claim("All later ones together bought less than a point, and turned honest failures into accepted errors",
      later[0.82, 0.1][0] < 1 and round(later[0.82, 0.1][1]) == 7)
claim("[later tries](#what-was-varied) still bought 9 points of right results, and 8 points of accepted errors with them",
      tuple(map(round, later[0.5, 0.1])) == (9, 8))
rng, wrong = random.Random(1), 0
for _ in range(50_000):
    hard, passes, stopped = rng.random() < 0.1, rng.random() >= 0.9, rng.random() < 0.05
    for _ in range(100):
        right = not hard and rng.random() < 0.98 ** 10
        if passes and not right or right and not stopped:
            wrong += not right
            break
claim("If all tries of a segment make the same one, a test suite gives it the same verdict, and with any number of tries 3% end wrong.",
      round(100 * wrong / 50_000) == 3)
louder = [100 * design(0.98, 50, every, 0.9, 1 - 0.99 ** every)[0] for every in EVERY]
claim("If each step adds 1% of false alarms, its place is worth 13 points.", round(max(louder) - min(louder)) == 13)
claim("If half of the errors are ones that all attempts share, fifty steps end at 60%",
      all(round(voted(0.98 / 0.99, 50, ahead)[0] * 0.99 ** 50, 1) == 0.6 for ahead in (2, 3, 5)))
claim("With steps of 95% it is 32 points, and with 200 steps 14",
      (round(spread["steps of 95%"]), round(spread["200 steps"])) == (32, 14))
claim("a check after each step brings 90% and one at the end 52%", (round(weak[-1]), round(weak[0])) == (90, 52))
sixth = [b - a for a, b in zip(capped(0.98 ** 10, 0.1, 5), capped(0.98 ** 10, 0.1, 6))]
claim("of the segments accepted on their sixth attempt, 96 in 100 are wrong here", round(100 * sixth[1] / (sixth[0] + sixth[1])) == 96)
claim("half of them have steps of 100% and half of 96%, which makes 98% on average, 56% of fifty-step jobs succeed and not 36%",
      (round(50 * (1 + 0.96 ** 50)), round(100 * 0.98 ** 50)) == (56, 36))
