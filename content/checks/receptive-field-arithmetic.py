"""Other networks, seeds, dilations, kernels and tiles for the recurrences, the used window and the exact outputs."""
import itertools
import random
from article import claim, programs

names = programs("norun: what it prints is told in the text|norun: goes on from a block that is not run"
                 "|norun: takes more than a second in a browser")
receptive_field, conv, run, probe = (names[n] for n in ("receptive_field", "conv", "run", "probe"))


def draw(rng, least, most):
    net = []
    for i in range(rng.randint(least, most)):
        k, d = rng.choice((1, 2, 3, 5)), rng.choice((1, 1, 2, 3))
        net.append((str(i), k, rng.choice((1, 1, 2, 3)), rng.randint(0, (k - 1) * d // 2), d))
    return net


def middle_low(net, o):
    *_, (_, size, jump, center) = receptive_field(net)
    return center + o * jump - (size - 1) / 2, size


print("random networks whose ends agree with the formula, by layers and seed")
agreed = []
for least, most in ((1, 2), (2, 4), (5, 6)):
    row = []
    for seed in (1, 2):
        rng, agree = random.Random(seed), 0
        for _ in range(12):
            net = draw(rng, least, most)
            while middle_low(net, 0)[1] > 150:
                net = draw(rng, least, most)
            o, seen = probe(net, 240)
            low, size = middle_low(net, o)
            inside = [i for i in range(int(low), int(low + size)) if 0 <= i < 240]
            agree += (seen[0], seen[-1]) == (inside[0], inside[-1])
        row.append(agree)
    agreed += row
    print(f"{least} to {most}".ljust(10) + "  ".join(f"{a} of 12" for a in row))

print()
print("dilations 1 to 9 of 3-wide kernels, in any order: reads all, by the rule")
table = {}
for depth in (2, 3, 4):
    for ds in itertools.combinations_with_replacement(range(1, 10), depth):
        reach = {0}
        span, rule = 1, True
        for d in ds:
            reach = {r + s * d for r in reach for s in (-1, 0, 1)}
            rule &= d <= span
            span += 2 * d
        table[(depth, len(reach) == span, rule)] = table.get((depth, len(reach) == span, rule), 0) + 1
for depth in (2, 3, 4):
    print(depth, "layers:", "all read", table.get((depth, True, True), 0), "within the rule,", table.get((depth, True, False), 0),
          "outside it; gaps", table.get((depth, False, True), 0), "within,", table.get((depth, False, False), 0), "outside")


def window(layers, weights=None, keep=0.95):
    """Field, and the width that holds 95% of the influence on one output, with the layers' absolute weights multiplied."""
    share, step = {0: 1.0}, 1
    sizes = list(receptive_field(layers))
    jumps = [1] + [row[2] for row in sizes]
    for at in range(len(layers) - 1, -1, -1):
        _, k, _, _, d = layers[at]
        w = weights[at] if weights else [1 / k] * k
        after = {}
        for place, value in share.items():
            for i in range(k):
                to = place + (2 * i - (k - 1)) * d * jumps[at]
                after[to] = after.get(to, 0) + value * w[i]
        share = after
    total, low, high = sum(share.values()), min(share), max(share)
    tail = (1 - keep) / 2 * total
    cut = 0.0
    while cut + share.get(low, 0) <= tail:
        cut += share.get(low, 0)
        low += 1
    cut = 0.0
    while cut + share.get(high, 0) <= tail:
        cut += share.get(high, 0)
        high -= 1
    return sizes[-1][1], (high - low) // 2 + 1


print()
print("field over the window with 95% of the influence; 10 draws of random weights")
over = {}
for label, layers in [(f"{n} layers of {k}", [conv("c", k)] * n) for k in (3, 5) for n in (5, 20, 80)] + [
        ("VGG-16 to conv5_3", names["vgg16"][:-1]), ("ResNet-50 v1.5", names["resnet50"](True))]:
    field, used = window(layers)
    drawn = []
    for seed in range(10):
        rng = random.Random(seed)
        drawn.append(field / window(layers, [[abs(rng.gauss(0, 1)) for _ in range(layer[1])] for layer in layers])[1])
    over[label] = (field, used, field / used, min(drawn), max(drawn))
    print(f"{label:20}{field:4} {used:4}  {field / used:.1f}   {min(drawn):.1f} to {max(drawn):.1f}")

middle = {}
print("80% of each 3-wide kernel on its center")
for label, layers in (("VGG-16 to conv5_3", names["vgg16"][:-1]), ("ResNet-50 v1.5", names["resnet50"](True))):
    field, middle[label] = window(layers, [[0.1, 0.8, 0.1] if layer[1] == 3 else [1] * layer[1] for layer in layers])
    print(f"{label:20}{field:4} {middle[label]:4}  {field / middle[label]:.1f}")
print()
exact, shifted, tried, shifts = 0, 0, 0, 0
rng = random.Random(9)
while tried < 40:
    net = [(n, k, s, (k - 1) * d // 2, d) for n, k, s, p, d in draw(rng, 2, 4)]
    *_, (_, size, jump, center) = receptive_field(net)
    if jump == 1 or size > 40:
        continue
    tried += 1
    weights = [[rng.gauss(0, 1) for _ in range(layer[1])] for layer in net]
    image = [rng.gauss(0, 1) for _ in range(400)]
    whole = run(image, net, weights)
    start = 120 // jump * jump
    for offset in (start, start + rng.randrange(1, jump)):
        tile = run(image[offset:offset + 64], net, weights)
        same = [o for o, y in enumerate(tile) if abs(y - whole[offset // jump + o]) < 1e-9]
        predicted = [o for o in range(len(tile)) if 0 <= center + o * jump - (size - 1) / 2 and center + o * jump + (size - 1) / 2 <= 63]
        if offset == start:
            exact += same == predicted
        else:
            shifts += 1
            shifted += not same
print(f"tiles of random networks: exact where the inequalities say, {exact} of {tried};")
print(f"shifted, no output agrees in {shifted} of {shifts}")
claim("All 100 agree at both ends, and so do 72 more of one to six layers", sum(agreed) == 72)
claim("Of all 705 lists of two to four dilations from 1 to 9 (their order does not matter), the 115 within the rule read everything, and all others leave gaps",
      sum(table.values()) == 705 and all(full == rule for _, full, rule in table) and
      sum(count for (_, _, rule), count in table.items() if rule) == 115)
claim("in a plain stack of 80 layers six to seven times", all(5.5 < r < 7.05 for k, (*_, a, b, c) in over.items() if k.startswith("80") for r in (a, b, c)))
claim("With random positive weights in place of equal ones the field was 1.8 to 2.7 times the used window in VGG-16 and ResNet-50",
      (f"{min(v[3] for k, v in over.items() if '-' in k):.1f}", f"{max(v[4] for k, v in over.items() if '-' in k):.1f}") == ("1.8", "2.7"))
claim("the tile must start at a multiple of the total stride $j$", exact == 40 and shifted == shifts)
claim("the field was 3.2 and 3.8 times as wide", [f"{over[label][0] / used:.1f}" for label, used in middle.items()] == ["3.2", "3.8"])
wide = [(n, k, s, p, d) for n, k, s, p, d in names["resnet50"](True)]
*_, (_, size, jump, center) = receptive_field(wide)
pixels = range(224)
all_turn = sum(all(center + o * jump - (size - 1) / 2 <= i <= center + o * jump + (size - 1) / 2 for o in range(7)) for i in pixels)
claim("on the usual 224 pixels all 7×7 outputs of a ResNet-50 may turn to NaN, since its field is 427 wide", size == 427 and all_turn > 200)


def same(x, weights, strides):
    """Returns the outputs of 3-wide convolutions whose padding depends on the width, as TensorFlow's SAME does."""
    for w, s in zip(weights, strides):
        pad = max(0, (-(-len(x) // s) - 1) * s + 3 - len(x))
        x = [0.0] * (pad // 2) + x + [0.0] * (pad - pad // 2)
        x = [sum(w[i] * x[o + i] for i in range(3)) for o in range(0, len(x) - 2, s)]
    return x


agree = {}
for width in (400, 401):
    weights = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(3)]
    image = [rng.gauss(0, 1) for _ in range(width)]
    whole = same(image, weights, (2, 2, 1))
    agree[width] = [sum(any(abs(y - z) < 1e-9 for z in whole) for y in same(image[start:start + 64], weights, (2, 2, 1)))
                    for start in range(100, 260, 4)]
claim("a tile of 64 pixels from a multiple of the stride agrees nowhere with an image of 401",
      min(agree[400]) > 5 and max(agree[401]) == 0)


def signed(layers, draws=60):
    """Returns the width that holds 95% of the mean absolute influence, with random weights of either sign and pools of equal ones."""
    jumps, mean = [1] + [row[2] for row in receptive_field(layers)], {}
    for seed in range(draws):
        rng, share = random.Random(seed), {0: 1.0}
        weights = [[1 / k] * k if "pool" in name else [rng.gauss(0, 1) for _ in range(k)] for name, k, *_ in layers]
        for at in reversed(range(len(layers))):
            _, k, _, _, d = layers[at]
            after = {}
            for place, value in share.items():
                for i in range(k):
                    to = place + (2 * i - (k - 1)) * d * jumps[at]
                    after[to] = after.get(to, 0) + value * weights[at][i]
            share = after
        total = sum(map(abs, share.values()))
        for place, value in share.items():
            mean[place] = mean.get(place, 0) + abs(value) / total / draws
    places, ends = sorted(mean), []
    for order in (places, places[::-1]):
        cut = 0.0
        for place in order:
            cut += mean[place]
            if cut > 0.025:
                ends.append(place)
                break
    return (ends[1] - ends[0]) // 2 + 1


found = [signed(names["vgg16"][:-1]), signed(names["resnet50"](True))]
claim("With random ones of either sign it was about 130 and 250", all(abs(a - b) < 10 for a, b in zip(found, (130, 250))))
squares = [window(layers, keep=0.99 ** 0.5)[1] for layers in (names["vgg16"][:-1], names["resnet50"](True))]
claim("for 99% of a square it is 140 and 271", squares == [140, 271])


def unet(x, weights):
    """Returns the outputs of two poolings and two enlargements with the skips between them, one for each input."""
    filtered = lambda x, w: [sum(w[i] * v for i, v in enumerate(three)) for three in zip([0.0] + x[:-1], x, x[1:] + [0.0])]
    half = lambda x: [max(pair) for pair in zip(x[::2], x[1::2])]
    double = lambda x, skip: [v + skip[i] for i, v in enumerate(v for v in x for _ in range(2))]
    first = filtered(x, weights[0])
    second = filtered(half(first), weights[1])
    bottom = filtered(half(second), weights[2])
    return filtered(double(filtered(double(bottom, second), weights[3]), first), weights[4])


weights = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(5)]
image = [rng.gauss(0, 1) for _ in range(400)]
whole = unet(image, weights)
equal = [sum(abs(y - z) < 1e-9 for y, z in zip(unet(image[start:start + 64], weights), whole[start:])) for start in range(160, 176)]
claim("a tile agrees from multiples of 4 and from no other place", all((n > 30) == (i % 4 == 0) and (n == 0) == (i % 4 > 0) for i, n in enumerate(equal)))


def with_skips(branch):
    """Returns the field of ResNet-50 v1.5 over its window with 95% of the influence, where each branch has this share beside its skip."""
    share = {0: 1.0}

    def back(share, k, s, p, weight=1.0):
        found = {}
        for place, value in share.items():
            for i in range(k):
                at = place * s + i - p
                found[at] = found.get(at, 0) + value * weight / k
        return found

    for blocks, first in ((3, 2), (6, 2), (4, 2), (3, 1)):
        for block in reversed(range(blocks)):
            s = first if block == 0 else 1
            kept = back(share, 1, s, 0, 1 - branch)
            share = {at: value + kept.get(at, 0) for at, value in back(share, 3, s, 1, branch).items()}
    share = back(back(share, 3, 2, 1), 7, 2, 3)
    low, high = min(share), max(share)
    middle = (low + high) // 2
    half = next(w for w in range(high) if sum(v for at, v in share.items() if abs(at - middle) <= w) >= 0.95)
    return (high - low + 1) / (2 * half + 1)

claim("With skip connections that weigh as much as the branches, the field of ResNet-50 is 3.0 times the used window, with twice as much 3.6 times",
      [round(with_skips(branch), 1) for branch in (0.5, 1 / 3)] == [3.0, 3.6] and round(with_skips(1), 2) == round(427 / 199, 2))
claim("the window is 11 pixels wide before training", 427 / with_skips(0) == 11)

def reached(i, n=96):
    """Returns which outputs of two pools and two doublings depend on an input."""
    three = lambda seen: [any(seen[max(0, o - 1):o + 2]) for o in range(len(seen))]
    half = lambda seen: [any(seen[o:o + 2]) for o in range(0, len(seen), 2)]
    double = lambda seen: [one for one in seen for _ in range(2)]
    return three(double(double(three(half(three(half(three([at == i for at in range(n)]))))))))


fields = [sum(column) for column in zip(*(reached(i) for i in range(96)))]
claim("after two pools and two doublings, 22 and 18 pixels by turns", set(fields[40:56]) == {18, 22})
