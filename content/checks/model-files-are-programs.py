"""Other pickles, protocols and damaged streams for the scanner, and other files for the strict parser."""
import collections
import contextlib
import datetime
import decimal
import fractions
import io
import json
import pathlib
import pickle
import random
import struct
import types
import uuid
from article import claim, programs

names = programs("run")
imports, load, parse = names["imports"], names["load"], names["parse"]

class Recorder(pickle._Unpickler):
    """Notes what a pickle looks up, and gives it something harmless."""

    def __init__(self, file):
        super().__init__(file)
        self.seen = []

    def find_class(self, module, name):
        self.seen.append((module, name))
        return lambda *args, **options: types.SimpleNamespace()


def looked_up(blob):
    recorder = Recorder(io.BytesIO(blob))
    with contextlib.suppress(Exception):
        recorder.load()
    return set(recorder.seen)


def scan(blob):
    """What the scanner says; a stream that it cannot decode is refused, as "?"."""
    try:
        return set(imports(blob))
    except Exception:
        return {("?", "?")}


print("pickles of objects, by protocol: looked up and not listed; listed as ?")
objects = [print, [print, len], collections.OrderedDict(a=1), datetime.date(2026, 1, 1), decimal.Decimal("1.5"),
           fractions.Fraction(1, 3), pathlib.PurePosixPath("a/b"), uuid.UUID(int=7), {1, 2}, frozenset((1,)), 1 + 2j, bytearray(b"a"),
           collections.Counter("aab"), collections.defaultdict(list, a=[1]), [len, len, collections.deque([1])], range(3), ValueError("x")]
missed, unsure = 0, 0
for protocol in range(6):
    row = [0, 0]
    for one in objects:
        blob = pickle.dumps(one, protocol=protocol)
        said = scan(blob)
        row[0] += not (looked_up(blob) <= said or ("?", "?") in said)
        row[1] += ("?", "?") in said
    missed, unsure = missed + row[0], unsure + row[1]
    print(f"protocol {protocol}: {row[0]} of {len(objects)}; {row[1]}")

OPS = [b"\x8c\x02os", b"\x8c\x06system", b"\x8c\x08builtins", b"\x8c\x04eval", b"\x94", b"h\x00", b"h\x01", b"h\x02", b"q\x00", b"q\x01",
       b"0", b"1", b"2", b"(", b"\x93", b"\x93", b"cos\nsystem\n", b"ca b\nc\n", b"(ios\nsystem\n", b"R", b")", b"\x85", b"K\x01", b"N", b"]", b"o", b"\x81", b"U\x02os"]
print()
print("random streams of 4 to 16 opcodes: looked up something, without a word from the scanner")
silent, busy = 0, 0
rng = random.Random(2)
for _ in range(60_000):
    blob = b"\x80\x04" + b"".join(rng.choice(OPS) for _ in range(rng.randint(4, 16))) + b"."
    wanted = looked_up(blob)
    busy += bool(wanted)
    said = scan(blob)
    silent += not (wanted <= said or ("?", "?") in said)
print(f"60,000 streams, {busy:,} look something up, {silent} unseen")

print()
print("file                        bytes   flips: header passes   data passes   of header flips")
rates = {}
for label, header in {
        "two tensors, short names": {"bias": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [8, 24]}},
        "one tensor, name of 40": {"a" * 40: {"dtype": "I8", "shape": [24], "data_offsets": [0, 24]}},
        "with metadata": {"__metadata__": {"format": "pt", "note": "trained"}, "w": {"dtype": "BF16", "shape": [3, 4], "data_offsets": [0, 24]}},
        "shapes of one": {"w": {"dtype": "U8", "shape": [1, 1, 24], "data_offsets": [0, 24]}},
}.items():
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    blob = struct.pack("<Q", len(text)) + text + bytes(range(1, 25))
    whole, accepted = parse(blob), {"header": 0, "data": 0}
    crashed = 0
    values = 0
    for bit in range(8 * len(blob)):
        copy = bytearray(blob)
        copy[bit // 8] ^= 1 << bit % 8
        try:
            got = parse(bytes(copy))
        except ValueError:
            continue
        where = "data" if bit // 8 >= 8 + len(text) else "header"
        accepted[where] += 1
        values += where == "header" and list(got.values()) != list(whole.values())
    rates[label] = accepted, 8 * (8 + len(text)), values
    print(f"{label:28}{len(blob):5}   {accepted['header']:20}   {accepted['data']:11}   {100 * accepted['header'] / rates[label][1]:.0f}%, other numbers in {values}")
claim("`pickle.dumps([1]) + pickle.dumps(print)` scans as empty", imports(pickle.dumps([1]) + pickle.dumps(print)) == [])
claim("nothing was looked up that it neither listed nor refused", silent == 0 and missed == 0 and busy > 5000)
shares = [100 * accepted["header"] / total for accepted, total, _ in rates.values()]
claim("1% to 34% of the flips in the headers of four files", (round(min(shares)), round(max(shares))) == (1, 34))
claim("none of which changed a number", all(others == 0 for *_, others in rates.values()))
claim("All 192 flips in the weights pass", all(accepted["data"] == 192 for accepted, *_ in rates.values()))


def accepted_shapes(blob, flips):
    copy = bytearray(blob)
    for bit in flips:
        copy[bit // 8] ^= 1 << bit % 8
    with contextlib.suppress(ValueError):
        return [shape for _, shape, _ in parse(bytes(copy)).values()]


table = json.dumps({"w": {"dtype": "U8", "shape": [2, 3], "data_offsets": [0, 6]}}, separators=(",", ":")).encode()
small = struct.pack("<Q", len(table)) + table + bytes(6)
place = 8 * (8 + table.index(b"[2,3]"))
claim("Two flips can: they make a shape of [2,3] into [3,2]", accepted_shapes(small, (place + 8, place + 24)) == [[3, 2]])
nested = []
for _ in range(22):
    nested = [nested, nested]
blob = pickle.dumps(nested)
depth, inner = 0, load(blob)
while inner:
    depth, inner = depth + 1, inner[0]
claim("146 bytes of lists that hold one another twice import nothing, pass the allowlist, and have four million leaves",
      (len(blob), imports(blob), round(2 ** depth / 1e6)) == (146, [], 4))
