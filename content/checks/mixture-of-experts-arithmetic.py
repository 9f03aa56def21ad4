"""Other seeds, numbers of experts and sizes of batches for the busiest expert."""
from article import claim, programs

loads = programs()["loads"]


def busiest(tokens, skew, experts, active):
    return [max(count) * experts / sum(count) for seed in range(10)
            for count in [loads(tokens, skew, experts, active, seed)]]


print("busiest expert over the mean, least and most of ten draws")
print("experts      tokens         skew 0       skew 0.3       skew 0.6")
table = {}
for experts, active in ((64, 4), (8, 2), (128, 4)):
    for tokens in (64, 512):
        for skew in (0, 0.3, 0.6):
            table[experts, tokens, skew] = busiest(tokens, skew, experts, active)
        print(f"{active} of {experts:<8d}{tokens:5d}" + "".join(
            f"{f'{min(t):.1f} to {max(t):.1f}':>15}" for t in (table[experts, tokens, skew] for skew in (0, 0.3, 0.6))))

claim("makes the busiest expert twice as loaded as the average, in other draws up to three times",
      1.9 < min(table[64, 64, 0]) and max(table[64, 64, 0]) <= 3.05)
claim("at 0.6 the busiest expert still carries five times the mean",
      4.5 < min(table[64, 512, 0.6]) and max(table[64, 512, 0.6]) < 6)
claim("With 8 experts instead of 64 the same skew costs far less",
      all(max(table[8, tokens, 0.6]) < min(table[64, tokens, 0.6]) for tokens in (64, 512)))
