"""Other reliabilities, checkers and lengths: how much the place of a check changes success and cost."""
from article import claim, programs

design = programs()["design"]
EVERY = (50, 25, 10, 5, 2, 1)
CASES = {
    "as in the text": (0.98, 50, 0.9, 0.05), "steps of 99.5%": (0.995, 50, 0.9, 0.05),
    "steps of 95%": (0.95, 50, 0.9, 0.05), "half caught": (0.98, 50, 0.5, 0.05),
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

spread = {name: max(row) - min(row) for name, row in table.items()}
claim("With steps of 98% or better and fifty of them, the best and the worst place of the check are at most 7 points apart.",
      max(spread[name] for name, (p, n, *_) in CASES.items() if p >= 0.98 and n == 50) < 7)
claim("With steps of 95% it is 32 points, and with 200 steps 14",
      (round(spread["steps of 95%"]), round(spread["200 steps"])) == (32, 14))
claim("a check after each step brings 90% and one at the end 52%", (round(weak[-1]), round(weak[0])) == (90, 52))
