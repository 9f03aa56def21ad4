"""Other sessions and prices: where summarizing pays, and what a late miss costs."""
from article import claim, programs

article = programs()
session, PRICE = article["session"], article["PRICE"]
LIMITS = (30_000, 40_000, 60_000, 80_000, 120_000, None)
CASES = {
    "as in the text": {}, "40 turns": {"turns": 40}, "160 turns": {"turns": 160},
    "results of 500 tokens": {"result": 500}, "results of 5,000": {"result": 5000},
    "summaries of 2,000": {"summary": 2000}, "summaries of 15,000": {"summary": 15000},
    "output at 8 times input": {"output": 8.0}, "writes at input price": {"write": 1.0},
    "reads at half": {"read": 0.5},
}
print("dollars with a cache, by the limit at which a summary is written")
print("".ljust(26) + "".join(f"{limit or 'never':>9}" for limit in LIMITS))
table = {}
for name, case in CASES.items():
    case = dict(case)
    prices = {key: case.pop(key) for key in ("output", "write", "read") if key in case}
    before = dict(PRICE)
    PRICE.update(prices)
    turns = case.pop("turns", 80)
    table[name] = [session(turns, limit=limit, **case) for limit in LIMITS]
    PRICE.update(before)
    print(name.ljust(26) + "".join(f"{dollars:9.2f}" for dollars in table[name]))

near = {name: max(row[2:4]) / min(row) for name, row in table.items()}
between = [session(80, limit=limit) for limit in range(40_000, 80_001, 10_000)]
claim("between 40,000 and 80,000 the bills differ by three cents", round(max(between) - min(between), 2) == 0.03)
best = {turns: min(session(turns, limit=limit) for limit in range(20_000, 200_001, 1000)) for turns in (40, 80, 160)}
claim("Limits of 60,000 and of 80,000 tokens are within 7% of the cheapest in six of the ten rows.",
      sum(ratio < 1.07 for ratio in near.values()) == 6 and len(near) == 10)
claim("where they have 15,000 tokens, a limit of 40,000 costs more than never to summarize",
      table["summaries of 15,000"][1] > table["summaries of 15,000"][5])
claim("In a session of 40 turns summarizing saves at most five cents.", 0.045 < session(40) - best[40] < 0.05)
bill = lambda turns, **options: session(turns, cached=False, **options) / session(turns, **options)
claim("divides the bill by three at 10 turns and by seven at 80", (round(bill(10)), round(bill(80))) == (3, 7))
claim("the best limit saves 35% of our example's 80 turns, 11% of 40 and 59% of 160",
      [round(100 * (1 - best[turns] / session(turns))) for turns in (80, 40, 160)] == [35, 11, 59])
breaks = lambda *turns: session(80, misses=turns) / session(80) - 1
claim("spread over the second half, add more than half to the bill", breaks(45, 55, 65, 75) > 0.5 and breaks(50, 60, 70, 80) > 0.5)
claim("four in a row right after turn 40 add 41%", round(100 * breaks(41, 42, 43, 44)) == 41)
plain = {limit: session(80, limit=limit, cached=False) for limit in (*range(19_000, 40_000, 1000), *LIMITS)}
claim("a limit of 20,000 leaves room for one turn and costs \\$4.93", round(plain[20_000], 2) == 4.93 and plain[20_000] > plain[30_000])
claim("twice the turns cost about twice as much", all(1.9 < table["160 turns"][i] / table["as in the text"][i] < 2.1 for i in range(5)))


def share(turns, head=12_000, turn=2400):
    """Share of the input that is read from the cache."""
    sizes = [head + turn * i for i in range(turns)]
    return sum(sizes[:-1]) / sum(sizes)


claim("the third is 85% after 10 turns and 98% after 80; short sessions have less, 61% after 3",
      [round(100 * share(n)) for n in (10, 80, 3)] == [85, 98, 61])


def longer(turns, misses, limit):
    """For how many of five places to begin an hour's lifetime, for which a write costs twice the input, is cheaper."""
    PRICE["write"] = 2.0
    dollars = session(turns, limit=limit)
    PRICE["write"] = 1.25
    starts = (0.01, 0.25, 0.5, 0.75, 1)
    return sum(dollars < session(turns, limit=limit, misses=[int((i + start) * turns / misses) or 1 for i in range(misses)]) for start in starts)


claim("the long lifetime pays from about four misses in 80 turns, or eight in 160, spread evenly",
      [longer(80, n, 60_000) for n in (2, 3, 5, 6)] == [0, 0, 5, 5] and longer(80, 4, 60_000) >= 3
      and [longer(160, n, 60_000) for n in (5, 6, 10, 11)] == [0, 0, 5, 5] and longer(160, 8, 60_000) >= 3)
claim("with a limit of 60,000 tokens a miss costs about 7 cents at most",
      0.06 < max(session(80, limit=60_000, misses=[turn]) - session(80, limit=60_000) for turn in range(1, 81)) < 0.075)
claim("With 50,000 tokens of tools, halving those saves more than halving the results up to 42 turns, and with 100,000 up to 90",
      all((session(turns, head=head // 2) < session(turns, head=head, result=1000)) == (turns <= last)
          for head, last in ((12_000, 8), (50_000, 42), (100_000, 90)) for turns in range(2, 161)))
claim("with 50,000 tokens of tools, one of 60,000 costs more than never to summarize",
      session(80, head=50_000, limit=60_000) > session(80, head=50_000))


def handed_over(turns, at, cut=20, back=500):
    """Dollars where so many turns from this one on are a subagent's, with the same instructions."""
    cost, context, stored, turn = session(cut), 12_000, 0, 1
    while turn <= turns:
        cost += (stored * PRICE["read"] + (context - stored) * PRICE["write"] + 400 * PRICE["output"]) / 1e6
        stored, context = context, context + (back + 400 if turn == at else 2400)
        turn += cut if turn == at else 1
    return cost


claim("takes our 80 turns from \\$1.21 to 95 cents, and 30 turns from 28 cents to 25",
      all(abs(handed_over(80, at) - 0.95) < 0.006 for at in (1, 20, 40, 60)) and round(session(80), 2) == 1.21
      and all(round(handed_over(30, at), 2) == 0.25 for at in (1, 5, 10)) and round(session(30), 2) == 0.28)
