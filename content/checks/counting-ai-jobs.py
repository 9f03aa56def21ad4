"""The survey two years later, errors that the table does not print, and which states are let in."""
import random
import re
from pathlib import Path
from article import claim, programs

article = programs()
states, questions, agreement = article["states"], article["questions"], article["agreement"]
NAMES = {"allOccupations": 0, "dataScientists": 2, "computerAndInformationResearchScientists": 4, "softwareDevelopers": 6}


def published(vintage):
    """The table of another year, from the files of the state guides; None where a figure was withheld."""
    table = {}
    for path in (Path(__file__).parent.parent / "states").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        part = next((p for p in text.split("  - source: ") if f"asOf: '{vintage}'" in p and "allOccupations" in p), "")
        row = [None] * 8
        for name, place in NAMES.items():
            for field, offset in (("employment", 0), ("annualMeanWage", 1)):
                found = re.search(rf"{name}: {{[^}}]*\b{field}: (\d+)", part)
                row[place + offset] = int(found[1]) if found else None
        table[re.search(r"abbreviation: '(..)'", text)[1]] = row
    return table


def noisy(rng, error):
    """The table drawn again, with this relative standard error in the largest state and more in smaller ones."""
    again = {}
    for name, row in states.items():
        if not row[2]:
            continue
        # An error that falls with the root of the number of jobs, from that of California's 33,220.
        scale = min(0.5, error * (33220 / row[2]) ** 0.5)
        again[name] = row[:2] + [row[2] * (1 + rng.gauss(0, scale)), row[3] * (1 + rng.gauss(0, scale / 2))] + row[4:]
    return again


def order(table, value):
    return sorted(table, key=lambda n: value(table[n]), reverse=True)


later = published("2025-05")
tops = {}
print("first five of the states, May 2023 and May 2025")
for question, value in questions.items():
    tops[question] = [order({n: s for n, s in t.items() if s[2] and s[3] and s[0]}, value)[:5] for t in (states, later)]
    print(f"{question:28s}" + "     ".join(" ".join(top) for top in tops[question]))
print("no figure for research scientists, May 2025:")
print(" ", *sorted(n for n, s in later.items() if s[4] is None))

print()
print("what a redraw does to four orders, 500 draws")
print("error of      question                    first as     places that the")
print("California's                              in the text  state ranked 14th")
print("count                                                  runs through (90%)")
kept = {}
for error in (0.005, 0.01, 0.02):
    rng = random.Random(1)
    draws = [noisy(rng, error) for _ in range(500)]
    for question, value in questions.items():
        truth = order({n: s for n, s in states.items() if s[2]}, value)
        orders = [order(draw, value) for draw in draws]
        places = sorted(o.index(truth[13]) + 1 for o in orders)
        kept[error, question] = sum(o[0] == truth[0] for o in orders) / 5, places[25], places[474]
        first, low, high = kept[error, question]
        print(f"{error:8.1%}      {question:28s}{first:6.0f}%       {low:8d} to {high}")

print()
print("agreement with the size of the state, among those with at least so many jobs")
print("                                all    500  1,000  2,000")
sizes = {}
for question, value in questions.items():
    line = []
    for least in (0, 500, 1000, 2000):
        some = {n: s for n, s in states.items() if s[2] and s[2] >= least}
        line.append(agreement(order(some, value), order(some, lambda s: s[0])))
    sizes[question] = line
    print(f"{question:28s}" + "".join(f"{v:+7.2f}" for v in line))

claim("California has the most data scientists, Washington the highest mean and now the largest share as well, and Arkansas leads the ratio again",
      [top[1][0] for top in tops.values()] == ["CA", "WA", "WA", "AR"])
claim("seventeen states have no figure for research scientists in May 2025, Washington not among them",
      sum(s[4] is None for s in later.values()) == 17 and later["WA"][4])
claim("Utah and Arkansas keep their first places in 43% to 68% of the draws",
      all(43 <= round(kept[error, q][0]) <= 68 for error in (0.005, 0.01, 0.02) for q in list(questions)[1::2]))


def runs(error):
    """Places over which each state runs in the order by wage, in nine of ten draws."""
    rng, value = random.Random(1), questions["highest mean wage"]
    orders = [order(noisy(rng, error), value) for _ in range(300)]
    places = {n: sorted(o.index(n) for o in orders) for n in orders[0]}
    return {n: p[285] - p[15] for n, p in places.items()}


widths = [runs(error) for error in (0.005, 0.02)]
claim("Then the state in the middle runs over 4 places of the order by wage, and over 12 with errors of 2%",
      [sorted(w.values())[24] for w in widths] == [4, 12])
claim("Vermont, 14th with 220 data scientists, is among those that run furthest: from 6th to 17th, and from 1st to 34th",
      all("VT" in sorted(w, key=w.get)[-5:] for w in widths)
      and [kept[e, "highest mean wage"][1:] for e in (0.005, 0.02)] == [(6, 17), (1, 34)])


def share_by_size(table, least):
    some = {n: s for n, s in table.items() if s[0] and s[2] and s[0] >= least}
    return round(agreement(order(some, questions["most per 1,000 jobs"]), order(some, lambda s: s[0])), 2)


claim("Among states with a million jobs of all kinds it is 0.29 instead of 0.45, and 0.51 in May 2025. "
      "Among those with 1,000 data scientists it is 0.06",
      [share_by_size(states, 1_000_000), share_by_size(states, 0), share_by_size(later, 1_000_000)] == [0.29, 0.45, 0.51]
      and round(sizes["most per 1,000 jobs"][2], 2) == 0.06)
factors = [(row[2] + row[4] + row[6]) / (row[2] + row[4]) for row in states.values() if row[2] and row[4]]
claim("and of 3.5 to 18 in those with both occupations published", (round(min(factors), 1), round(max(factors))) == (3.5, 18))
known = [name for name in states if states[name][2]]
claim("The mean wage goes with the state's other wages: the two orders agree with 0.69", round(agreement(*(
    sorted(known, key=lambda n: states[n][place], reverse=True) for place in (3, 1))), 2) == 0.69)
claim("Washington by the mean wage of data scientists, Arkansas by that wage against the state's other wages, in May 2023 and in "
      "May 2025", all((max(best, key=lambda n: best[n][3]), max(best, key=lambda n: best[n][3] / best[n][1])) == ("WA", "AR")
                      for best in ({n: row for n, row in table.items() if row[2] and row[3] and row[1]} for table in (states, later))))
