"""Other seeds, groups, rates, rewards and lengths of training for the bandit."""
import math
import random
from article import claim, programs

article = programs()
train, START = article["train"], article["START"]
SEEDS = range(20)


def loopholes(right, hole, pays=0.8, steps=250, group=8, rate=0.3):
    rest = (1 - right - hole) / 3
    rewards, won = (pays, 1.0, 0, 0, 0), 0
    for seed in SEEDS:
        *_, last = train([right, hole, rest, rest, rest], lambda a, rng: rng.random() < rewards[a],
                         steps, group, rate, seed)
        won += last[1] > 0.5
    return won


def until_likely(group, rate):
    """Steps until the right answer has 90%, for each seed."""
    return [next(step for step, probs in enumerate(
        train(START, lambda a, rng: a == 0, 3000, group, rate, seed)) if probs[0] > 0.9)
        for seed in range(200)]


CASES = {
    "as in the text": {}, "1,000 steps": {"steps": 1000},
    "groups of 4": {"group": 4}, "groups of 16": {"group": 16},
    "rate 0.1": {"rate": 0.1}, "rate 1": {"rate": 1},
    "right pays 0.5": {"pays": 0.5}, "right pays 0.95": {"pays": 0.95},
}
RIGHT, HOLES = (0.2, 0.05, 0.01), (0.01, 0.05, 0.2)
print("runs of 20 that end in the loophole")
print("right answer at        20%           5%           1%")
print("loophole at       1%  5% 20%   1%  5% 20%   1%  5% 20%")
won = {}
for name, case in CASES.items():
    for right in RIGHT:
        for hole in HOLES:
            won[name, right, hole] = loopholes(right, hole, **case)
    print(f"{name:16s}" + "  ".join(
        "".join(f"{won[name, right, hole]:4d}" for hole in HOLES) for right in RIGHT))
print()
print("steps until the right answer has 90%, first and last of 200 runs")
speed = {}
for group in (4, 8, 16):
    speed[group] = until_likely(group, 0.3)
    print(f"groups of {group:2d}: {min(speed[group])} to {max(speed[group])}")

claim("Where it is right in 1%, the same loophole at 5% wins all twenty.",
      all(won[name, 0.01, 0.05] == 20 for name in CASES))
claim("It had won 2 after 1,000 steps", won["1,000 steps", 0.2, 0.05] == 2)
claim("it ends in the loophole in 0 to 18 runs of 20",
      {won[name, 0.2, 0.05] for name in CASES} == {0, 2, 4, 18})
claim("A loophole at 20% wins at least 19 of 20 everywhere.",
      all(won[name, right, 0.2] >= 19 for name in CASES for right in RIGHT))


def push(p, divided, group=8):
    """Mean step of the right answer's logit in a mixed group, per unit of the rate."""
    total = mass = 0.0
    for k in range(1, group):
        chance, mean = math.comb(group, k) * p ** k * (1 - p) ** (group - k), k / group
        step = (k * (1 - mean) * (1 - p) + (group - k) * mean * p) / group
        total += chance * step / (math.sqrt(mean * (1 - mean)) if divided else 1)
        mass += chance
    return total / mass


def parted(right, hole, steps, gained=0.1):
    """The share of the right answer where training stops as soon as the loophole has gained so much, for each seed."""
    rest, shares = (1 - right - hole) / 3, []
    for seed in SEEDS:
        for probs in train([right, hole, rest, rest, rest], lambda a, rng: rng.random() < (0.8, 1.0, 0, 0, 0)[a], steps, seed=seed):
            if probs[1] > hole + gained:
                break
        shares.append(probs[0])
    return shares


late = sorted(parted(0.05, 0.05, 250))
claim("left a right answer that began at 20%, with the loophole at 5%, at 80% or more; where both began at 5% it was at 7% to 20% in 18 of twenty runs",
      min(parted(0.2, 0.05, 8000)) >= 0.8 and 0.065 <= late[0] and late[17] < 0.205 < late[18])
claim("90% took between 37 and 67 steps", (min(speed[8]), max(speed[8])) == (37, 67))
claim("moves the right answer three quarters as far as one solved in half of them; undivided, it is little more than half as far",
      round(push(0.05, True) / push(0.5, True), 2) == 0.75 and 0.5 < push(0.05, False) / push(0.5, False) < 0.6)
def leashed(seed, weight, start=(0.2, 0.05, 0.25, 0.25, 0.25), pays=(0.8, 1, 0, 0, 0), steps=1000, group=8, rate=0.3):
    """The probabilities after training with a penalty on the divergence from the start."""
    rng, logits = random.Random(seed), [math.log(p) for p in start]
    for _ in range(steps):
        probs = article["softmax"](logits)
        picks = rng.choices(range(5), probs, k=group)
        scores = [rng.random() < pays[answer] for answer in picks]
        mean = sum(scores) / group
        sd = math.sqrt(mean * (1 - mean)) or 1
        away = [math.log(p / q) for p, q in zip(probs, start)]
        divergence = sum(p * a for p, a in zip(probs, away))
        for i, p in enumerate(probs):
            logits[i] += rate * (sum((s - mean) / sd * ((i == a) - p) for a, s in zip(picks, scores)) / group
                                 - weight * p * (away[i] - divergence))
    return probs


ends = {weight: sum(leashed(seed, weight)[1] > 0.5 for seed in SEEDS) for weight in (0, 0.04, 0.1, 0.5)}
claim("Without it, the same cell ends in the loophole in 2 of twenty runs after 1,000 steps. "
      "With a weight of 0.04 on the divergence from the start it is 9, and with 0.1 all twenty", list(ends.values())[:3] == [2, 9, 20])
claim("most are mixed where the success rate lies between 9% and 91%",
      1 - 0.91 ** 8 - 0.09 ** 8 > 0.5 > 1 - 0.92 ** 8 - 0.08 ** 8)
tight = sum(leashed(seed, 0.5)[0] for seed in SEEDS) / len(SEEDS)
claim("At 0.5 it is none, and the right answer is at six in ten", ends[0.5] == 0 and round(tight, 1) == 0.6)
claim("a skill that appears in one of a million attempts is in one of some 16,000 groups of sixty-four",
      round(1 / (1 - (1 - 1e-6) ** 64), -3) == 16_000)
shares = {250: [], 15_999: []}
for seed in range(5):
    rare = train([0.2, 0.01, 0.79 / 3, 0.79 / 3, 0.79 / 3], lambda a, rng: rng.random() < (0.8, 1, 0, 0, 0)[a], 16_000, seed=seed)
    for step, probs in enumerate(rare):
        if step in shares:
            shares[step].append(100 * probs[1])
claim("it was 0.04% to 0.06% after 250 steps and at most 0.004% after 16,000",
      (round(min(shares[250]), 2), round(max(shares[250]), 2)) == (0.04, 0.06) and max(shares[15_999]) < 0.004)
