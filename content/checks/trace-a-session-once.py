"""Other lengths, results and limits for what an agent's trace takes."""
import csv
import json
from pathlib import Path
from article import claim, programs

with open(Path(__file__).parent.parent / "data/trace-a-session-once.csv", encoding="utf-8") as lines:
    rows = list(csv.DictReader(lines))


def pick(style, **wanted):
    wanted = {"turns": 80, "result": 8000, "system": 48000, "seed": 1, "limit": "", **wanted}
    return next(row for row in rows if row["style"] == style and all(row[k] == str(v) for k, v in wanted.items()))


mega = lambda row, key: int(row[key]) / 1e6
print("                         text,    new,    all, MB              times   4 MiB are")
print("session                    MB      MB    sent  gzip  zstd   the text full after")
cases = {"as in the text": {}, "20 turns": {"turns": 20}, "40 turns": {"turns": 40}, "160 turns": {"turns": 160},
         "results of 2,000": {"result": 2000}, "results of 20,000": {"result": 20000},
         "instructions of 8,000": {"system": 8000}, "other texts": {"seed": 2}, "others again": {"seed": 3}}
ratios, over = [], []
for name, case in cases.items():
    new, full = pick("new", **case), pick("all", **case)
    ratios.append((mega(new, "bytes") / mega(new, "text"), mega(full, "bytes") / mega(full, "text")))
    # Two spans a turn, in the order of their end.
    calls = f"{(int(full['over']) + 1) // 2} turns" if full["over"] != "0" else "never"
    print(f"{name:23s}{mega(new, 'text'):7.2f}{mega(new, 'bytes'):8.2f}{mega(full, 'bytes'):8.1f}{mega(full, 'gzip'):6.1f}"
          f"{mega(full, 'zstd'):6.2f}{ratios[-1][1]:11.0f}{calls:>11}")
for limit in (4096, 65536, 262144):
    row = pick("all", limit=limit)
    print(f"limit of {limit:7,} characters: {mega(row, 'bytes'):5.1f} MB, the newest message in {row['newest']} of 80 calls")

claim("a session with 0.8 MB of text became a trace of 37.7 MB. While prompts only grow, recording what is new takes 0.9 MB",
      [round(mega(pick("all"), k), 1) for k in ("text", "bytes")] == [0.8, 37.7] and round(mega(pick("new"), "bytes"), 1) == 0.9)
claim("it was kept in 8 of 80 calls, with 4,096 in 1",
      (pick("all", limit=65536)["newest"], pick("all", limit=4096)["newest"]) == ("8", "1"))
claim("37.7 MB became 8.5 MB", round(mega(pick("all"), "gzip"), 1) == 8.5 and round(mega(pick("all"), "zstd"), 2) == 0.34)
assert round(mega(pick("none"), "bytes"), 2) == 0.03
claim("five such calls in one batch are refused", 4 * int(pick("all")["largest"]) < 4 * 2 ** 20 < 5 * int(pick("all")["largest"]))
article = programs()
record = article["record"]


def rebuilt(number):
    """Whether a call's prompt is had again without span 30: None where it is refused."""
    try:
        return article["rebuild"](article["spans"], number) == article["sent"][number]
    except ValueError:
        return None


claim("Losing a span makes those after it unreadable up to the next summary that keeps nothing of it",
      [rebuilt(n) for n in range(80) if n != 30] == [True] * 30 + [None] * 19 + [True] * 30)


def recorded(change, turns=80):
    """Megabytes of 80 prompts, of what is recorded of them, and of their messages once, where the agent changes each prompt."""
    history, last, spans, sent = [{"role": "system", "content": "x" * 48000}], [], [], []
    for turn in range(turns):
        history = [*history, {"role": "tool", "content": f"result {turn}: " + "z" * 8000}]
        prompt = change(turn, history)
        spans.append(record(prompt, last))
        sent.append(prompt)
        last, history = prompt, [*history, {"role": "assistant", "content": f"step {turn} " + "w" * 1600}]
    once = {json.dumps(message) for prompt in sent for message in prompt}
    return [round(size / 1e6, 1) for size in (len(json.dumps(sent)), len(json.dumps(spans)), sum(map(len, once)))]


habits = {
    "grows": lambda turn, p: p,
    "clock": lambda turn, p: [{"role": "system", "content": f"12:{turn:02d} " + p[0]["content"]}, *p[1:]],
    "reminder": lambda turn, p: [p[0], {"role": "user", "content": f"memory {turn}"}, *p[1:]],
    "window": lambda turn, p: [p[0], *p[1:][-20:]],
    "stripped": lambda turn, p: [{**m, "content": "(removed)"} if m["role"] == "tool" and i < len(p) - 20 else m for i, m in enumerate(p)],
}
cost = {name: recorded(change) for name, change in habits.items()}
claim("35.1 MB for 80 turns without a summary, where an unchanged beginning took 0.8", cost["clock"][:2] == [35.1, 35.1] and cost["grows"][1] == 0.8)
claim("took 31.3. A window of the last twenty messages took 6.9, and so did an agent that strips the results older than ten turns",
      [cost[name][1] for name in ("reminder", "window", "stripped")] == [31.3, 6.9, 6.9])
grown, prompts, before = [{"role": "system", "content": "x" * 48000}], [], []
for turn in range(80):
    grown = [*grown, {"role": "tool", "content": f"result {turn}: " + "z" * 8000}]
    prompts.append(grown)
    grown = [*grown, {"role": "assistant", "content": f"step {turn} " + "w" * 1600}]
whole = sum(len(json.dumps(prompts[i])) - len(json.dumps(record(prompts[i], prompts[i - 1]))) for i in (20, 40, 60))
claim("At every twentieth call that would cost another 1.3 MB in 80 turns without a summary", round(whole / 1e6, 1) == 1.3)
claim("Stored by the hash of each message, the last three took 0.8 as well, and the clock 4.6",
      [cost[name][2] for name in ("reminder", "window", "stripped", "clock")] == [0.8, 0.8, 0.8, 4.6])
claim("each can be rebuilt to the byte", record([{"b": 1, "a": 2}], [{"a": 2, "b": 1}])["kept"] == record([{"a": True}], [{"a": 1}])["kept"] == 0)
own, before, kept = [{"role": "system", "content": "x"}, {"role": "tool", "content": "old"}], [], []
for turn in range(2):
    seen = [dict(message) for message in own]
    kept.append((record(seen, before)["kept"], record(own, own)["kept"]))
    before = seen
    own[1]["content"] = "(removed)"
    own.append({"role": "assistant", "content": "w"})
claim("the last prompt changes with it and looks kept", kept == [(0, 2), (1, 3)])
claim("New records take 7% to 26% more than the text in the nine sessions; full ones are 13 to 89 times the text",
      [round(100 * f([r[0] for r in ratios])) for f in (min, max)] == [107, 126]
      and [round(f([r[1] for r in ratios])) for f in (min, max)] == [13, 89])
