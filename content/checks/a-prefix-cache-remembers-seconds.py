"""Other shares, memories, times, routes and arrivals for a prefix cache and continuous batching on a public log."""
import csv
import random
from pathlib import Path
from statistics import mean, median
from article import claim, programs

names = programs()
DATA = Path(__file__).parent.parent / "data"


def read(name):
    with open(DATA / f"a-prefix-cache-remembers-seconds{name}.csv", encoding="utf-8") as lines:
        return [{key: value if key in ("kind", "arrivals", "batching", "node") else float(value or "nan")
                 for key, value in row.items()} for row in csv.DictReader(lines)]


hits, runs = read(""), read("-runs")


def span(values, digits=0):
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def of(kind, share, memory=1.0):
    return [row for row in hits if (row["kind"], row["share"], row["memory"]) == (kind, share, memory)]


print("one server, 20 shares of the conversations    found, % of the tokens")
print("memory   traffic  room over new, s replayed         by that")
for memory in (0.5, 1.0, 2.0, 4.0):
    for share in (0.1, 0.2, 0.4, 0.8):
        found = of("log", share, memory)
        print(f"{memory:4.1f} x{share:9.0%}{span([r['kept'] for r in found]):>15}"
              f"{span([100 * r['hit'] for r in found]):>14}{span([100 * r['formula'] for r in found]):>16}")
for share in (0.1, 0.2, 0.4, 0.8):
    found = of("moved", share)
    print(f"moved *{share:9.0%}{span([r['kept'] for r in found]):>15}"
          f"{span([100 * r['hit'] for r in found]):>14}{span([100 * r['formula'] for r in found]):>16}")
print("servers, route")
for servers in (4, 8):
    for kind, name in (("stays", "stays"), ("random", "anywhere")):
        found = of(kind, servers)
        print(f"{servers}  {name:13s}{span([r['kept'] for r in found]):>15}{span([100 * r['hit'] for r in found]):>14}")
print("simulated, 20 windows       first token after, s     memory of the running")
print("traffic arrivals batch cache   median       95th, s          share, %")


def simulated(share, arrivals, batching, cache):
    return [row for row in runs if (row["share"], row["arrivals"], row["batching"], row["cache"])
            == (share, arrivals, batching, cache)]


CASES = ((0.3, "log", "static", 0), (0.3, "log", "continuous", 0), (0.3, "log", "continuous", 1),
         (0.3, "bursts", "continuous", 0), (0.3, "bursts", "continuous", 1),
         (0.45, "log", "continuous", 0), (0.45, "log", "continuous", 1))
for case in CASES:
    share, arrivals, batching, cache = case
    found = simulated(*case)
    print(f"{share:6.0%}  {arrivals:8s} {'fixed' if batching == 'static' else 'steps':5s} {'yes' if cache else 'no':3s}"
          f"{span([r['p50'] for r in found], 1):>14}{span([r['p95'] for r in found], 1):>16}"
          f"{span([100 * r['pinned'] for r in found]):>14}")

TRAFFIC = (0.1, 0.2, 0.4, 0.8)
whole = of("log", 1.0)[0]
claim("A server that kept the last 34 seconds would have found 6%",
      round(whole["kept"]) == 34 and round(100 * whole["hit"]) == 6)
rules = {}
for row in csv.DictReader(open(DATA / "a-prefix-cache-remembers-seconds-rules.csv", encoding="utf-8")):
    rules.setdefault((row["share"], row["rule"]), []).append(100 * float(row["hit"]))
claim("keeping what was used twice for 3,000 requests longer would have found 11% in the same memory, and knowing the future 29%",
      [round(rules["1", rule][0]) for rule in ("last use", "used twice", "future")] == [6, 11, 29])
claim("On a fifth of the conversations the first finds what last use finds, give or take three points, and the second 33% to 41%",
      all(abs(a - b) < 3 for a, b in zip(rules["0.2", "last use"], rules["0.2", "used twice"]))
      and span(rules["0.2", "future"]) == "33 to 41")
claim("37% of the input had been sent before", round(100 * whole["limit"]) == 37)
claim("In these rows the sum is less than one percentage point off the mean",
      all(abs(100 * names["kept"](40_937 * share)[1] - 100 * mean(r["hit"] for r in of("log", share))) < 1
          for share in (*TRAFFIC, 1.0)))
claim("It comes out up to three points too high, and never too low by more than one",
      all(-0.01 < r["formula"] - r["hit"] < 0.03 for r in hits))
claim("gets an eighth of the traffic and keeps more than five minutes", names["kept"](40_937 / 8)[0] > 300)

claim("on eight servers, 30% of the tokens were found when each conversation stayed with one server "
      "and 8% when requests went anywhere",
      {round(100 * mean(r["hit"] for r in of(kind, 8))) for kind in ("stays", "random")} == {30, 8})
idle = [r["idle"] for r in simulated(0.3, "log", "static", 0)]
claim("60% of its places were idle on one log of chats", 0.58 < median(idle) < 0.66)


def pairs(share, arrivals):
    without = {r["seed"]: r for r in simulated(share, arrivals, "continuous", 0)}
    return [(without[r["seed"]], r) for r in simulated(share, arrivals, "continuous", 1)]


ratio = {case: median(b["p50"] / a["p50"] for a, b in pairs(*case)) for case in ((0.3, "log"), (0.3, "bursts"), (0.45, "log"))}
found = {case: mean(b["hit"] for _, b in pairs(*case)) for case in ratio}
light, full = (0.3, "log"), (0.45, "log")
claim(f"At 45% of the traffic the cache finds {found[full]:.0%} of the tokens, fewer than the {found[light]:.0%} at 30%, and "
      f"saves more: it leaves {ratio[full]:.0%} of the wait, against {ratio[light]:.0%}",
      found[full] < found[light] and ratio[full] < ratio[light])
claim("were idle for 58% to 65% of their places",
      [round(100 * value) for value in (min(idle), max(idle))] == [58, 65])
claim("the running requests hold 18% to 42% of the memory, and without a cache, which lets them pile up, 25% to 73%",
      [round(100 * f(r["pinned"] for r in simulated(0.45, "log", "continuous", cache))) for cache in (1, 0)
       for f in (min, max)] == [18, 42, 25, 73])
size, below, longest = 64, 0, 0.0
for n, m in zip(names["counts"], names["middles"]):
    longest += m * (((below + n) / names["total"]) ** size - (below / names["total"]) ** size)
    below += n
step = (141e9 + size * 12_035 * names["per_token"]) / (0.7 * 8 * 3.35e12) + 0.004
took = size * 2 * 70e9 * 12_035 / (0.5 * 8 * 989e12) + longest * step
claim("One of 64 would just do, and take 57 seconds from its start to its longest answer",
      round(took) == 57 and 1 < size / took / (0.3 * 12_031 / 3_600) < 1.2)


def agents(a_second, room=1.33e6, added=1500, until=7200, start=1800):
    """Of a cache that serves agents: room over new tokens a second, and how old the oldest block was when it went."""
    rng, events, now, name = random.Random(1), [], 0.0, 0
    while now < until:
        now, name = now + rng.expovariate(a_second), name + 1
        at = now
        for turn in range(1 + min(300, int(rng.expovariate(1 / 29)))):
            events.append((at, name, turn))
            at += rng.lognormvariate(0, 1) * 15
    stored, used, new, gone, ages = {}, 0, 0, 0, 0.0
    for at, name, turn in sorted(event for event in events if event[0] < until):
        here, _ = stored.pop(name, (0, at))
        used += added * (turn + 1) - here
        stored[name] = added * (turn + 1), at
        new += (added * (turn + 1) - here) * (at > start)
        while used > room and len(stored) > 1:
            first = next(iter(stored))
            size, since = stored[first]
            cut = min(size, used - room)
            gone, ages = gone + cut * (at > start), ages + cut * (at - since) * (at > start)
            used -= cut
            if cut < size:
                stored[first] = size - cut, since
            else:
                del stored[first]
    return room / (new / (until - start)), ages / gone


claim("it said 76 seconds and the oldest block was 32 old", [round(value) for value in agents(0.07)] == [76, 32])
