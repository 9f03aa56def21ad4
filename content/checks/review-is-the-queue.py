"""Other loads for the four levers, and reviews that take some minutes whatever their size."""
from heapq import heappop, heappush
from math import exp
from random import Random
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
    "5 fixed, 3 a day": (3, 0.3, 5), "4 a day, 40% bounced": (4, 0.4),
}
print("minutes of waiting".ljust(30) + "".join(f"{name:>18}" for name in NAMES))
table = {}
for name, case in CASES.items():
    table[name] = levers(*case)
    print(name.ljust(30) + "".join(f"{minutes:18.0f}" for minutes in table[name]))

first = next(iter(table))
claim("at this load two minutes for each are enough to turn the gain into a loss, and with five the line never ends",
      table["2 fixed minutes"][1] > table[first][0] and table["5 fixed minutes"][1] == float("inf"))
fewer = 1 - 0.7 ** 0.5
claim("If each half has half of the reasons to come back, that is 16%, and a change waits 53 minutes over its rounds, less than with any other lever "
      "here. With two fixed minutes it is 75, with five 142.", round(100 * fewer) == 16
      and [round(wait(10 / (1 - fewer), 15 + fixed / 2)[1] / (1 - fewer)) for fixed in (0, 2, 5)] == [53, 75, 142])
many = table.pop("4 a day, 40% bounced")
claim("Up to three bounces in ten, five minutes less beat less spread and fewer bounces at every load of the grid, or come "
      "within a minute of them. At four in ten half the bounces are ahead, by 7 minutes for one review at four changes a day.",
      all(row[4] <= min(row[2], row[3]) + 1 for row in table.values()) and round(many[4] - many[3]) == 7)
claim("Over the rounds of a change it is level with half the bounces, and where four in ten reviews bounce it is far behind: "
      "274 minutes against 134",
      [round(levers(5, 0.4)[i] / (1 - b)) for i, b in ((4, 0.4), (3, 0.2))] == [274, 134]
      and abs(table[first][4] / 0.7 - table[first][3] / 0.85) < 7)
rate, mean = 5 / 0.7 / 240, 30
load = rate * mean
# Two exponential halves of 15 minutes at once: E[(a + b)^2] = 6 * 15^2.
claim("if both are opened at once, the first waits 188 minutes", 187 < rate * 6 * 15 ** 2 / 2 / (1 - load) < 188.5)


def shortest_first(minutes):
    """Wait of a review of this length where the shortest is taken first."""
    x = minutes / mean
    return rate * mean ** 2 / (1 - load * (1 - exp(-x) * (1 + x))) ** 2


claim("To take the shortest review first does shorten the mean, here from 250 minutes to about 91, and a review of two hours "
      "then waits for three days",
      90 < sum(exp(-(i + 0.5) / 100) / 100 * shortest_first(mean * (i + 0.5) / 100) for i in range(3000)) < 92
      and 700 < shortest_first(120) < 780)
claim("At three a day and up to three bounces in ten half the bounces is the weakest of the four",
      all(max(row[1:]) == row[3] for row in (levers(3, b) for b in (0.1, 0.2, 0.3))))


def shorter(accepted, bounced, mean=30, again=0.5):
    """Wait where a review that follows a bounce takes this share of the time of a first one."""
    drafts, first = accepted / (1 - bounced) / 240, 1 - bounced
    load = drafts * mean * (first + bounced * again)
    return drafts * mean ** 2 * (first + bounced * again ** 2) / (1 - load)


claim("39 minutes against 61 for half the bounces here, and 50 against 67 where four in ten come back",
      [round(v) for b in (0.3, 0.4) for v in (shorter(5, b, 25), shorter(5, b / 2))] == [39, 61, 50, 67]
      and all(shorter(n, b, 25) < shorter(n, b / 2) for n in (3, 4, 5) for b in (0.1, 0.2, 0.3, 0.4)))


def rounds_of(accepted, bounced):
    """Minutes over the rounds of a change, with reviews of 25 minutes and with half the bounces."""
    row = levers(accepted, bounced)
    return row[4] / (1 - bounced), row[3] / (1 - bounced / 2)


claim("five minutes less are ahead up to two bounces in ten, half the bounces at four, and at three they are close",
      all(a < b for n in (3, 4, 5) for r in (0.1, 0.2) for a, b in [rounds_of(n, r)])
      and all(a > b for n in (3, 4, 5) for a, b in [rounds_of(n, 0.4)])
      and all(abs(a / b - 1) < 0.08 for n in (3, 4, 5) for a, b in [rounds_of(n, 0.3)]))


def returning(bounced, mean=30, delay=240, changes=60_000):
    """Mean wait where a bounced draft comes back after its author had it for a while, simulated."""
    rng, events, at, free, waited, reviews = Random(1), [], 0.0, 0.0, 0.0, 0
    for _ in range(changes):
        at += rng.expovariate(5 / 240)
        events.append(at)
    while events:
        at = heappop(events)
        start, reviews = max(at, free), reviews + 1
        waited, free = waited + start - at, start + rng.expovariate(1 / mean)
        if rng.random() < bounced:
            heappush(events, free + rng.expovariate(1 / delay))
    return waited / reviews


claim("the wait to a third", all(abs(returning(*case) / formula - 1) < 0.08
                               for case, formula in (((0.3,), table[first][0]), ((0.15,), table[first][3]), ((0.3, 25), table[first][4]))))


def pair(load, minutes=30):
    """Wait of two reviewers who take from one line, for exponential times (Erlang C)."""
    return 2 * load ** 2 / (1 + load) * minutes / 2 / (1 - load)


claim("39 minutes instead of 90 at 75%, 218 instead of 450 at 94%",
      [round(v) for n in (6, 7.5) for v in (pair(n / 8), wait(n, 30)[1])] == [39, 90, 218, 450])
claim("With half the spread, or one and a half times it, the 90 minutes are 56 or 146",
      [round(wait(6, 30, spread=spread)[1]) for spread in (0.5, 1.5)] == [56, 146])
def per_change(accepted, bounced):
    """Minutes over the rounds of a change, for the four levers in the order of the grid."""
    rounds = [1 / (1 - bounced)] * 5
    rounds[3] = 1 / (1 - bounced / 2)
    return [r * w for r, w in zip(rounds, levers(accepted, bounced))][1:]


claim("Without fixed minutes, changes half as long have the shortest wait at three a day, and with one bounce in ten, five a day, the same as five minutes less",
      all(per_change(3, b)[0] == min(per_change(3, b)) for b in (0.1, 0.2)) and table["3 a day, 20% bounced"][1] == min(table["3 a day, 20% bounced"])
      and round(table["5 a day, 10% bounced"][1]) == round(table["5 a day, 10% bounced"][4]))
