"""Other training values, seeds, samplers and kinds of error for the denoiser."""
import random
from article import claim, programs

article = programs()
denoise, sample, smooth = article["denoise"], article["sample"], article["smooth"]
SETS = {"the three of the text": (-1.0, 0.5, 2.0), "gaps of 0.5 and 2.5": (-1.0, -0.5, 2.0)}
SETS["10 drawn at random"] = tuple(random.Random(10).gauss(0, 1.5) for _ in range(10))


def restless(x, denoiser, steps=60, top=10.0, bottom=0.01, rng=random.Random(0)):
    """The ancestral sampler: guesses, and adds fresh noise for the next level."""
    levels = [top * (bottom / top) ** (i / steps) for i in range(steps + 1)]
    for now, after in zip(levels, levels[1:]):
        guess, fresh = denoiser(x, now), after * (1 - (after / now) ** 2) ** 0.5
        x = guess + (x - guess) * (after / now) ** 2 + rng.gauss(0, 1) * fresh
    return x


def copies(data, denoiser, sampler=sample, steps=20, seeds=5, **noise):
    """Least and most copies among 40 samples over the seeds, in percent."""
    article["DATA"], shares = data, []
    for seed in range(seeds):
        rng = random.Random(seed)
        found = [sampler(rng.gauss(0, 10), denoiser, steps, **noise) for _ in range(40)]
        shares.append(sum(min(abs(x - d) for d in data) < 0.05 for x in found) * 100 / 40)
    return min(shares), max(shares)


def cell(row):
    return f"{row[0]:.0f}-{row[1]:.0f}%".rjust(11)


def span(rows):
    return min(low for low, _ in rows), max(high for _, high in rows)


DRAWN = []
for seed in range(12):
    rng = random.Random(seed)
    DRAWN.append(tuple(rng.gauss(0, 1.5) for _ in range((2, 3, 10, 20)[seed % 4])))
print("copies among 40 samples, least and most of five seeds")
print(f"{'exact denoiser':24s}    3 steps   10 steps   60 steps fresh noise")
exact = {}
RUNS = [{"steps": 3}, {"steps": 10}, {"steps": 60}, {"steps": 60, "sampler": restless}]
for name, data in SETS.items():
    exact[name] = [copies(data, denoise, **run) for run in RUNS]
exact["2 to 20 drawn, 12 times"] = [span([copies(data, denoise, seeds=2, **run) for data in DRAWN]) for run in RUNS]
for name, row in exact.items():
    print(f"{name:24s}" + "".join(map(cell, row)))

print()
print(f"{'averaged over a window':24s}    0.3 gap    0.4 gap    0.5 gap    0.6 gap")
blunt, SHARES = {}, (0.3, 0.4, 0.5, 0.6)
for gap in (0.75, 1.5, 3):
    data = tuple(0.5 + gap * i for i in (-1, 0, 1))
    blunt[gap] = [copies(data, smooth(share * gap)) for share in SHARES]
    print(f"{f'gap {gap}':24s}" + "".join(map(cell, blunt[gap])))

THREE = SETS["the three of the text"]
print(f"\n{'gap 1.5, stopped at':24s}" + "".join(f"window {width}".rjust(12) for width in (0.3, 0.6, 0.75, 0.9)))
stopped = {}
for bottom, steps in ((0.1, 20), (0.01, 30), (0.0001, 60)):
    stopped[bottom] = [copies(THREE, smooth(width), steps=steps, bottom=bottom) for width in (0.3, 0.6, 0.75, 0.9)]
    print(f"{f'a noise of {bottom}':24s}" + "".join(cell(row).rjust(12) for row in stopped[bottom]))

print("\nother errors")
other = [copies(THREE, lambda x, s, f=factor: denoise(x, f * s)) for factor in (1.5, 4)]
for factor, row in zip((1.5, 4), other):
    print(f"{f'noise x{factor}':24s}" + cell(row))
floors = {}
for floor in (0.4, 0.5, 0.6, 0.7, 0.9):
    article["DATA"] = THREE
    slope = (denoise(-0.249, floor) - denoise(-0.251, floor)) / 0.002
    floors[slope] = copies(THREE, lambda x, s, f=floor: denoise(x, max(s, f)), steps=30)
    print(f"{f'floor {floor}, slope {slope:.1f}':24s}" + cell(floors[slope]))

claim("all samples that we drew end within 0.05 of a training value, with fresh noise at each step or without",
      all(row[0] == 100 for rows in exact.values() for row in rows[2:]))
article["DATA"] = (-1.0, 1.0)
claim("Of two values alone, a start exactly in the middle would stay there", sample(0.0, denoise) == 0)
claim("between 7% and 40% of the samples are copies, for each gap and each stop below 0.1",
      all(7 <= low and high <= 40 for low, high in
          [rows[2] for rows in blunt.values()] + [stopped[0.01][2], stopped[0.0001][2]]))
claim("With a window of 0.3 and the walk ended at a noise of 0.1, fewer than half were copies, and at 0.0001 all",
      stopped[0.1][0][1] < 50 and stopped[0.0001][0][0] == 100)
claim("With such a floor a slope of 2.3 copies in 82% of the cases or more, one of 1.2 in a tenth at most",
      all(row[0] >= 82 for slope, row in floors.items() if slope > 2.2)
      and all(row[1] <= 10 for slope, row in floors.items() if slope < 1.3))


def ramps(x, sigma, slope=1.2):
    """The exact denoiser, and straight ramps between the values where it would be steeper than this."""
    if (0.75 / sigma) ** 2 <= slope:
        return denoise(x, sigma)
    border = min((-0.25, 1.25), key=lambda b: abs(x - b))
    return border + max(-0.75, min(0.75, slope * (x - border)))


claim("copies more often than not at a slope of 1.2, too", copies(THREE, ramps, steps=60)[0] > 50)
article["DATA"] = THREE
claim("that is 3.5 at $\\sigma = 0.4$ and 56 at $\\sigma = 0.1$",
      [round((denoise(-0.249, s) - denoise(-0.251, s)) / 0.002, n) for s, n in ((0.4, 1), (0.1, 0))] == [3.5, 56])
claim("A denoiser that takes the noise for 1.5 times what it is still copied", other[0][0] >= 95)
shifted = [sample(x, lambda x, s: denoise(x, s) + 0.2) for x in article["starts"]]
claim("One that is off by 0.2 everywhere returns three values 0.2 beside the true ones",
      all(min(abs(x - d - 0.2) for d in THREE) < 0.05 for x in shifted) and len({round(x, 1) for x in shifted}) == 3)


def even(x, denoiser, steps):
    """The sampler of the text, with noise that falls by equal differences."""
    levels = [10 + (0.01 - 10) * i / steps for i in range(steps + 1)]
    for now, after in zip(levels, levels[1:]):
        guess = denoiser(x, now)
        x = guess + (x - guess) * after / now
    return x


article["DATA"] = THREE
claim("Where the noise fell by equal differences instead of ratios, ten steps gave fewer than a fifth copies, and sixty nine tenths or more",
      copies(THREE, denoise, even, 10)[1] < 20 and copies(THREE, denoise, even, 60)[0] >= 90)
flat = [sample(random.Random(seed).gauss(0, 10), lambda x, s: denoise(x, max(s, 5)), 30) for seed in range(40)]
claim("so flat that all samples ended near the mean returned 0.5, a training value again",
      all(abs(x - 0.5) < 0.05 for x in flat))
claim("Slope at the border: 95% to 100% copies at 3.5, 2% to 10% at 1.2",
      all(a[1] > b[1] for a, b in zip(list(floors.values()), list(floors.values())[1:4])))
