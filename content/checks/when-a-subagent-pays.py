"""Other prices and sessions for the border at which a subagent is cheaper, and other draws for parallel work."""
from random import Random
from article import claim, programs

names = programs()
session, border, slowest = names["session"], names["border"], names["slowest"]
AS_WRITTEN = {key: names[key] for key in ("READ", "WRITE", "OUTPUT")}


def saved(after, **case):
    return 1 - session(True, after=after, **case) / session(False, after=after, **case)


print("                                    cheaper     saved with so many turns to come")
print("                                 from turns on         0       20       80")
found = {}
for name, prices, case in (
    ("as in the text", {}, {}), ("reading at 0.05", {"READ": 0.05}, {}), ("reading at 0.25", {"READ": 0.25}, {}),
    ("no cache at all", {"READ": 1, "WRITE": 1}, {}), ("writing at 1", {"WRITE": 1}, {}), ("writing at 2", {"WRITE": 2}, {}),
    ("output at 8", {"OUTPUT": 8}, {}), ("search of 2 turns", {}, {"search": 2}), ("search of 5", {}, {"search": 5}),
    ("search of 20", {}, {"search": 20}), ("results of 1,000", {}, {"result": 1_000}), ("history of 12,000", {}, {"history": 12_000}),
    ("history of 100,000", {}, {"history": 100_000}), ("start of 30,000", {}, {"start": 30_000}),
    ("start of 30,000, search of 2", {}, {"start": 30_000, "search": 2}), ("report of 8,000", {}, {"report": 8_000}),
    ("looks again once", {}, {"misses": 1}), ("looks again three times", {}, {"misses": 3}),
):
    names.update({**AS_WRITTEN, **prices})
    found[name] = border(**case), *(saved(after, **case) for after in (0, 20, 80))
    first, *shares = found[name]
    print(f"{name:32s}{'never' if first is None else first:>10}" + " " * 5 + "".join(f"{share:9.0%}" for share in shares))
names.update(AS_WRITTEN)


def cold(after):
    """Cost where the main agent has a cache and the subagent has none."""
    cached, _ = names["turns"](12_000, 10, 4_000, 300)
    names.update({"READ": 1, "WRITE": 1})
    uncached, _ = names["turns"](12_000, 10, 4_000, 300)
    names.update(AS_WRITTEN)
    return session(True, after=after) - 12_000 * names["WRITE"] - cached + uncached



def summarized(delegate, after, limit=150_000, left=20_000, summary=3_000):
    """Cost where the main agent's context is written anew, summarized, as soon as it is above a limit."""
    cost, context = 0, 40_000
    steps = [(1, 0)] if delegate else [(10, 4_000)]
    if delegate:
        cost = session(True, after=0) - names["turns"](context, 1, 0, 300)[0]
    for number, added in [*steps, (after, 2_000)]:
        for _ in range(number):
            if context > limit:
                cost += READ * context + OUTPUT * summary + WRITE * (left + summary)
                context = left + summary
            cost += names["turns"](context, 1, added, 300)[0]
            context += added + 300
        context += 1_000 if delegate and added == 0 else 0
    return cost


READ, WRITE, OUTPUT = AS_WRITTEN.values()
claim("with a limit of 150,000 tokens the 80 turns save 8%, and not 18%",
      [round(100 * (1 - summarized(True, 80, limit) / summarized(False, 80, limit))) for limit in (150_000, 10 ** 9)] == [8, 18])


def changed(after, turns=10, price=1, expired=False, **case):
    """Cost where the subagent takes other turns or has another price, or the main agent's cache has expired at its return."""
    own = names["WRITE"] * 12_000 + 5_000
    ten, other = (names["turns"](12_000, number, 4_000, 300)[0] for number in (case.get("search", 10), turns))
    return session(True, after=after, **case) - own - ten + price * (own + other) + expired * 40_000 * (names["WRITE"] - names["READ"])


for name, case, search in (("the main agent's cache expires", {"expired": True}, {}), ("the subagent takes 13 turns", {"turns": 13}, {}),
                           ("its model at a fifth", {"price": 0.2}, {}),
                           ("a fifth, search of 2", {"price": 0.2, "turns": 2, "search": 2}, {"search": 2})):
    first = next(w for w in range(500) if changed(w, **case) < session(False, after=w, **search))
    shares = [1 - changed(after, **case) / session(False, after=after, **search) for after in (0, 20, 80)]
    found[name] = first, *shares
    print(f"{name:32s}{first:10d}" + " " * 5 + "".join(f"{share:9.0%}" for share in shares))
cold_border = next(w for w in range(500) if cold(w) < session(False, after=w))
print(f"{'only the subagent has no cache':32s}{cold_border:10d}" + " " * 5
      + "".join(f"{1 - cold(after) / session(False, after=after):9.0%}" for after in (0, 20, 80)))
speeds = {(parts, spread): [parts / slowest(parts, spread, Random(seed), 1_000) for seed in range(20)]
          for parts in (5, 10, 20) for spread in (0.5, 1.0)}
for (parts, spread), values in speeds.items():
    print(f"{parts:2d} parts, spread {spread}: {min(values):.1f} to {max(values):.1f} times as fast in 20 draws")

claim("a search of ten turns, handed to a subagent, saves a fifth if twenty turns follow it. One of two turns costs more unless 29 do",
      0.18 < found["as in the text"][2] < 0.23 and found["search of 2 turns"][0] == 29)
places = {result: [session(False, **at) - session(True, **at) for turn in range(0, 61, 10)
                   for at in [{"history": 20_000 + 2_300 * turn, "after": 60 - turn, "result": result}]] for result in (4_000, 1_000)}
claim("a search that reads 4,000 tokens a turn saves most at the beginning, and one that reads 1,000 at the end",
      places[4_000] == sorted(places[4_000], reverse=True) and places[1_000] == sorted(places[1_000]))
def cleared(after, search=10, report=1_000):
    """Cost where the main agent searches, writes the report, and drops the results behind a history that stays cached."""
    cost, context = names["turns"](40_000, search, 4_000, 300)
    return (cost + names["READ"] * context + (names["OUTPUT"] + names["WRITE"]) * report
            + names["turns"](40_000 + report, after, 2_000, 300)[0])


claim("saves 17% with twenty turns to come. After a search of two turns it is cheaper than keeping them from the 15th turn on",
      round(100 * (1 - cleared(20) / session(False, after=20))) == 17
      and next(w for w in range(500) if cleared(w, 2) < session(False, after=w, search=2)) == 15)
claim("Even if nothing follows, the subagent is not dearer", found["as in the text"][0] == 0)
claim("takes ten turns to earn back, and a report of 8,000 tokens thirteen",
      found["start of 30,000"][0] == 10 and found["report of 8,000"][0] == 13)
claim("In a session that has just begun there is no long history to spare the search, so it takes six",
      found["history of 12,000"][0] == 6)
claim("With that, ten parts are three times as fast as one", all(2.6 < value < 3.3 for value in speeds[10, 1.0]))
claim("it takes 62 later turns to make up for it", cold_border == 62)
claim("Without any cache a subagent saves more, 37% instead of 20% with twenty turns to come",
      [round(100 * found[name][2]) for name in ("no cache at all", "as in the text")] == [37, 20])
found["only the subagent has no cache"] = (cold_border,)
claim("the subagent pays from the eleventh turn on. If the subagent needs 13 turns for what the main agent, which knows the history, "
      "finds in ten, it pays from the ninth. A cheaper model works the other way: at a fifth of the price, even a search of two "
      "turns pays at once.",
      [found[name][0] for name in ("the main agent's cache expires", "the subagent takes 13 turns", "a fifth, search of 2")] == [11, 9, 0])
claim("More than ten turns it takes where the search is short, the report long or poor, the main agent's cache expires, or the subagent has none.",
      {name for name, (first, *_) in found.items() if first > 10}
      == {"search of 2 turns", "start of 30,000, search of 2", "report of 8,000", "looks again three times", "the main agent's cache expires",
          "only the subagent has no cache"})
