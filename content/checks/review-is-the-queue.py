"""Other loads for the four levers, and reviews that take some minutes whatever their size."""
from article import claim, programs

wait = programs()["wait"]


def levers(accepted, bounced, fixed=0):
    """Minutes of waiting as it is and with each lever; `fixed` minutes of a review do not depend on its size."""
    rounds = 1 / (1 - bounced)
    return [minutes for _, minutes in (
        wait(accepted * rounds, 30),
        wait(2 * accepted * rounds, (30 - fixed) / 2 + fixed),
        wait(accepted * rounds, 30, spread=0.5),
        wait(accepted / (1 - bounced / 2), 30),
        wait(accepted * rounds, 25),
    )]


NAMES = ("as it is", "half as long", "less spread", "half the bounces", "25 minutes")
CASES = {
    "5 accepted a day, 30% bounced": (5, 0.3), "5 a day, 10% bounced": (5, 0.1),
    "4 a day, 30% bounced": (4, 0.3), "3 a day, 20% bounced": (3, 0.2),
    "1 fixed minute of 30": (5, 0.3, 1), "2 fixed minutes": (5, 0.3, 2), "5 fixed minutes": (5, 0.3, 5),
    "5 fixed, 3 a day": (3, 0.3, 5),
}
print("minutes of waiting".ljust(30) + "".join(f"{name:>18}" for name in NAMES))
table = {}
for name, case in CASES.items():
    table[name] = levers(*case)
    print(name.ljust(30) + "".join(f"{minutes:18.0f}" for minutes in table[name]))

first, *lighter = list(table)[:4]
claim("at this load two minutes for each are enough to turn the gain into a loss, and with five the line never ends",
      table["2 fixed minutes"][1] > table[first][0] and table["5 fixed minutes"][1] == float("inf"))
claim("At every load of the grid five minutes less beat less spread and fewer bounces, or come within a minute of them.",
      all(row[4] <= min(row[2], row[3]) + 1 for row in table.values()))
claim("Halving the bounces is worth most where many bounce and the load is high; at three changes a day it is the "
      "weakest of the four.",
      table[first][3] / table[first][0] < min(table[n][3] / table[n][0] for n in lighter)
      and max(table["3 a day, 20% bounced"][1:]) == table["3 a day, 20% bounced"][3])
