"""Other chances, alike and unlike between facts, for what repeated summaries keep."""
from math import exp, lgamma
from article import claim, programs

names = programs()
kept, room = names["kept"], names["room"]


def mean_power(mean, spread, rounds):
    """Mean of chance ** rounds where chances have a beta distribution; a spread of 0 is all alike."""
    if not spread:
        return mean ** rounds
    a, b = mean * (1 / spread - 1), (1 - mean) * (1 / spread - 1)
    return exp(lgamma(a + rounds) + lgamma(a + b) - lgamma(a) - lgamma(a + b + rounds))


print("share of facts kept after             1     2     4     8    16 compactions")
after8 = {}
for mean in (0.8, 0.9, 0.95, 0.98):
    for spread, name in ((0, "all alike"), (0.1, "a little unlike"), (0.5, "very unlike")):
        shares = [mean_power(mean, spread, rounds) for rounds in (1, 2, 4, 8, 16)]
        after8[mean, spread] = shares[3]
        print(f"keeps {mean:<5.0%} {name:22s}" + "".join(f"{share:6.0%}" for share in shares))

print("\nonce and notes together lose      other facts    half the same    the same")
lost = {}
for written in (0.5, 0.8, 0.95):
    apart, same = (1 - 0.9) * (1 - written * 0.9), min(1 - 0.9, 1 - written * 0.9)
    lost[written] = apart, same
    print(f"written {written:<5.0%}" + "".join(f"{share:17.0%}" for share in (apart, (apart + same) / 2, same)))

claim("A compaction that keeps nine facts in ten keeps four in ten of the oldest after eight",
      round(kept("again", 8), 1) == 0.4)
claim("for 19,000 tokens more of context", room("once", 8)[0] - room("again", 8)[0] == 19_000)
claim("a mediocre file beats a good summary from the fourth compaction on",
      kept("again", 3) > kept("notes", 3) and kept("again", 4) < kept("notes", 4))
claim("together lose three facts in a hundred if they overlook different ones, and up to ten if what is dull to one is dull",
      round(1 - kept("both", 8), 2) == round(lost[0.8][0], 2) == 0.03 and round(lost[0.8][1], 2) == 0.1)
claim("their error is 11 to 18 points to either side",
      [round(196 * (share * (1 - share) / 30) ** 0.5) for share in (0.9, 0.43)] == [11, 18])
claim("in [the table](#what-was-varied) up to 76%", round(100 * after8[0.9, 0.5]) == 76)
claim("more survive eight rounds", all(after8[mean, 0] < after8[mean, 0.1] < after8[mean, 0.5]
                                       for mean in (0.8, 0.9, 0.95, 0.98)))
