/** Bytes before the directory of a font, and of each entry: tag, checksum, offset, length. */
const HEADER = 12;
const ENTRY = 16;

/** Types of GPOS lookups (https://learn.microsoft.com/typography/opentype/spec/gpos). */
const PAIRS = 2;
const EXTENSION = 9;
/** The format of values that move only what follows. */
const ADVANCE_ONLY = 4;

/**
 * Returns a TrueType font of several weights with the kerning of another that has one weight and the same glyphs, in multiples of
 * `step` units. It has no checksums: what reads it next must not ask for them.
 */
export function withKerningOf(font: Buffer, other: Buffer, step: number): Buffer {
	const tables = tablesOf(other);
	const kerning = Buffer.from(tables.get('GPOS')!);
	roundPairs(kerning, step);
	// Without the variations of kerning, which GDEF has.
	return fontOf(
		font.subarray(0, HEADER),
		new Map([...tablesOf(font), ['GDEF', tables.get('GDEF')!], ['GPOS', kerning]]),
	);
}

function tablesOf(font: Buffer): Map<string, Buffer> {
	const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) =>
		font.subarray(HEADER + ENTRY * index, HEADER + ENTRY * (index + 1)),
	);
	return new Map(
		entries.map((entry) => {
			const start = entry.readUInt32BE(8);
			return [entry.toString('latin1', 0, 4), font.subarray(start, start + entry.readUInt32BE(12))];
		}),
	);
}

function fontOf(header: Buffer, tables: Map<string, Buffer>): Buffer {
	let start = HEADER + ENTRY * tables.size;
	const entries = [...tables].map(([tag, { length }]) => {
		const entry = Buffer.alloc(ENTRY);
		entry.write(tag, 'latin1');
		entry.writeUInt32BE(start, 8);
		entry.writeUInt32BE(length, 12);
		start += length + padding(length);
		return entry;
	});
	const padded = [...tables.values()].flatMap((table) => [
		table,
		Buffer.alloc(padding(table.length)),
	]);
	return Buffer.concat([header, ...entries, ...padded]);
}

/** Returns how many bytes follow a table so that the next begins at a multiple of four. */
const padding = (length: number) => -length & 3;

/** Rounds the distances of a GPOS table's pairs in place. */
function roundPairs(table: Buffer, step: number): void {
	const round = (at: number) =>
		table.writeInt16BE(Math.round(table.readInt16BE(at) / step) * step, at);
	for (const lookup of offsets(table, table.readUInt16BE(8), 0)) {
		for (let pairs of offsets(table, lookup, 4)) {
			let type = table.readUInt16BE(lookup);
			if (type === EXTENSION) {
				type = table.readUInt16BE(pairs + 2);
				pairs += table.readUInt32BE(pairs + 4);
			}
			if (type !== PAIRS) continue;
			if (table.readUInt16BE(pairs + 4) !== ADVANCE_ONLY || table.readUInt16BE(pairs + 6) !== 0)
				throw new Error('The font has pairs whose kerning cannot be rounded.');
			if (table.readUInt16BE(pairs) === 1) {
				for (const set of offsets(table, pairs, 8))
					for (let pair = 0; pair < table.readUInt16BE(set); pair++) round(set + 4 + 4 * pair);
			} else {
				const count = table.readUInt16BE(pairs + 12) * table.readUInt16BE(pairs + 14);
				for (let pair = 0; pair < count; pair++) round(pairs + 16 + 2 * pair);
			}
		}
	}
}

/** Returns where the parts of a part of a table begin: their count stands at `skip` bytes, their offsets follow. */
function offsets(table: Buffer, part: number, skip: number): number[] {
	const count = table.readUInt16BE(part + skip);
	return Array.from(
		{ length: count },
		(_, index) => part + table.readUInt16BE(part + skip + 2 + 2 * index),
	);
}
