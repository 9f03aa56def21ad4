"""Other seeds, lengths of session, users and tables of tools for the gate, and for which test finds which broken gate."""
import random
import re
from math import log2
from article import _TEXT, claim, programs

names = programs("norun: one of several files", ["gate"])
SOURCE = {name: re.search(rf"^```python norun: one of several files\n# {name}\.py\n(.*?)^```", _TEXT, re.M | re.S)[1]
          for name in ("gate", "test_gate", "fuzz")}
TESTS = SOURCE["test_gate"].split('if __name__')[0].replace("from gate import Gate, Grant\n", "")
ATTACK = SOURCE["fuzz"].split("rng, verdicts, leaks")[0].replace("from gate import TOOLS, Gate, Grant\n", "")


def build(changes=()):
    """The article's gate with some of its lines changed, its unit tests and its random attacker."""
    source = SOURCE["gate"]
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    space = {"__name__": "gate"}
    module = __import__("types").ModuleType("gate")
    __import__("sys").modules["gate"] = module
    exec(source + "\n" + TESTS + "\n" + ATTACK, vars(module))
    return vars(module)


def leaks(space, seed, sessions=1000, calls=12, approves=1.0):
    attack = space["attack"] if calls == 12 else None
    if calls != 12:
        exec(ATTACK.replace("range(12)", f"range({calls})"), space)
        attack = space["attack"]
    rng, found, made = random.Random(seed), 0, 0
    for _ in range(sessions):
        gate = space["Gate"]([space["Grant"]("send_mail", {"to": space["DANA"]}, frozenset({"body"}))])
        if approves < 1:
            check = gate.check
            gate.check = lambda name, args: "deny" if (v := check(name, args)) == "ask" and rng.random() > approves else v
        for _, bad in attack(rng, gate):
            found, made = found + bad, made + 1
    return found, made


def failing(space):
    bad = 0
    for name, test in space.items():
        if name.startswith("test_"):
            try:
                test()
            except AssertionError:
                bad += 1
    return bad


print("leaks of the gate: calls a session, of requests approved, 3 seeds of 1,000 sessions")
none = []
for calls in (4, 12, 40):
    for approves in (1.0, 0.5):
        row = [leaks(build(), seed, 1000 if calls < 40 else 400, calls, approves) for seed in (1, 2, 3)]
        none += [found for found, _ in row]
        print(f"{calls:2} calls, {100 * approves:3.0f}%   {sum(found for found, _ in row)} of {sum(made for _, made in row):,}")

print()
rng, tables, found = random.Random(5), 300, 0
for _ in range(tables):
    space = build()
    space["TOOLS"].update({f"tool{i}": space["Tool"](frozenset({"id", "body"}), *(rng.random() < 0.5 for _ in range(4))) for i in range(4)})
    found += leaks(space, rng.random(), 30)[0]
print(f"{tables} tables with four random tools more: {found} leaks")

MUTANTS = {
    "extra arguments ignored": [("set(args) <= set(self.pinned) | self.open\n                and ", "")],
    "labels overwritten": [("self.untrusted |= tool.untrusted", "self.untrusted = tool.untrusted"), ("self.private |= tool.private", "self.private = tool.private")],
    "approved calls do not count": [('if verdict != "deny":  ', 'if verdict == "allow":')],
    "no rule that denies": [("        if tool.egress and self.private and self.untrusted:\n            return \"deny\"\n", "")],
    "grants never used up": [("grant.uses -= 1", "pass")],
    "fetch_url not an exit": [("untrusted=True, egress=True)", "untrusted=True)")],
}
print()
print("gate broken by                leaks, 5 seeds   with 4 calls   tests that fail")
kept = {}
for label, changes in MUTANTS.items():
    space = build(changes)
    row = [leaks(space, seed)[0] for seed in range(1, 6)]
    short = [leaks(space, seed, 1000, 4)[0] for seed in (1, 2)]
    kept[label] = row, short, failing(build(changes))
    print(f"{label:30}{min(row)} to {max(row)}".ljust(47) + f"{min(short)} to {max(short)}".ljust(15) + str(kept[label][2]))

claim("Sessions of 4 and 40 calls, a user who refuses half of the requests, and 300 tables with four random tools more leave it at zero",
      not any(none) and found == 0)
finds = {label: (max(row) > 0, failed > 0) for label, (row, _, failed) in kept.items()}
claim("Neither kind of test finds all six, with any of five seeds",
      sum(f for f, _ in finds.values()) == 4 and sum(t for _, t in finds.values()) == 5 and all(min(row) > 0 or max(row) == 0 for row, _, _ in kept.values()))
claim("the label was raised when a call was allowed, but not when it was allowed after a question", finds["approved calls do not count"] == (True, False))
unasked = build([("if tool.acts or self.private:", "if tool.acts:")])
claim("A seventh gets past both", leaks(unasked, 1)[0] == failing(build([("if tool.acts or self.private:", "if tool.acts:")])) == 0)
space = build()
rng, found = random.Random(1), 0
for _ in range(1000):
    gate = space["Gate"]([space["Grant"]("send_mail", {"to": space["DANA"]}, frozenset({"bcc", "body"}))])
    found += sum(bad for _, bad in space["attack"](rng, gate))
claim("With `bcc` left open, the random attacker below leaks", found > 0)
claim("| Boolean | 1.6 bits |", round(log2(2 + 1), 1) == 1.6)
claim("| One of 8 labels | 3.2 bits |", round(log2(8 + 1), 1) == 3.2)
PASTED = ATTACK.replace("read = set()", 'read = {"untrusted"}')
assert PASTED != ATTACK
pasted = []
for label in (False, True):
    space, rng, found = build(), random.Random(1), 0
    exec(PASTED, space)
    for _ in range(1000):
        found += sum(bad for _, bad in space["attack"](rng, space["Gate"]([], untrusted=label)))
    pasted.append(found)
claim("with such a paste and no label the random attacker leaks", pasted[0] > 0 == pasted[1])
