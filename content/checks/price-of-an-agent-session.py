"""Other sessions and prices: where summarizing pays, and what a late miss costs."""
from article import claim, programs

article = programs()
session, PRICE = article["session"], article["PRICE"]
LIMITS = (30_000, 40_000, 60_000, 80_000, 120_000, None)
CASES = {
    "as in the text": {}, "40 turns": {"turns": 40}, "160 turns": {"turns": 160},
    "results of 500 tokens": {"result": 500}, "results of 5,000": {"result": 5000},
    "summaries of 2,000": {"summary": 2000}, "summaries of 15,000": {"summary": 15000},
    "output at 8 times the input": {"output": 8.0}, "writes at the input price": {"write": 1.0},
}
print("dollars with a cache, by the limit at which a summary is written")
print("".ljust(28) + "".join(f"{limit or 'never':>9}" for limit in LIMITS))
table = {}
for name, case in CASES.items():
    case = dict(case)
    prices = {key: case.pop(key) for key in ("output", "write") if key in case}
    before = dict(PRICE)
    PRICE.update(prices)
    turns = case.pop("turns", 80)
    table[name] = [session(turns, limit=limit, **case) for limit in LIMITS]
    PRICE.update(before)
    print(name.ljust(28) + "".join(f"{dollars:9.2f}" for dollars in table[name]))

near = {name: max(row[2:4]) / min(row) for name, row in table.items()}
claim("Between 40,000 and 80,000 it makes no difference to this bill",
      max(table["as in the text"][1:4]) - min(table["as in the text"][1:4]) < 0.03)
claim("Limits of 60,000 and of 80,000 tokens are within 7% of the cheapest in six of the nine rows.",
      sum(ratio < 1.07 for ratio in near.values()) == 6 and len(near) == 9)
claim("where they have 15,000 tokens, a limit of 40,000 costs more than never to summarize",
      table["summaries of 15,000"][1] > table["summaries of 15,000"][5])
claim("In a session of 40 turns summarizing saves at most three cents.",
      table["40 turns"][5] - min(table["40 turns"]) < 0.035)
