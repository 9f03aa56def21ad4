/** Compresses the structure of a PDF as Typst writes it, which is more than half of a book (ISO 32000-1, 7.5.7 and 7.5.8). */
import { deflateSync } from 'node:zlib';

/** Objects in a stream: a reader that wants one of them unpacks all. */
const GROUP = 200;

/** Returns the same objects under the same numbers, all but the streams of them in compressed streams. */
export function compactPdf(pdf: Uint8Array): Uint8Array {
	const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length).toString('latin1');
	const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]);
	const [, rows, trailer] =
		/^xref\s+0 \d+\s+((?:\d{10} \d{5} [fn]\s\s?)+)trailer\s+<<\s*\/Size \d+(.+)>>\s+startxref/s.exec(
			text.slice(start),
		) ?? refuse();
	const offsets = [...rows!.matchAll(/(\d{10}) \d{5} ([fn])/g)].map(([, offset, use]) =>
		use === 'n' ? Number(offset) : undefined,
	);
	const inFile = [...offsets.entries()]
		.filter((entry): entry is [number, number] => entry[1] !== undefined)
		.sort(([, one], [, other]) => one - other);

	const parts = [text.slice(0, inFile[0]![1])];
	let length = parts[0]!.length;
	const add = (part: string) => {
		length += parts[parts.push(part) - 1]!.length;
	};
	/** Where each object is: its kind, and a place in the file or in a stream. */
	const places: [kind: number, where: number, index: number][] = offsets.map(() => [0, 0, 0]);
	/** Returns the number of an object that is about to be added. */
	const newNumber = () => places.push([1, length, 0]) - 1;
	const addStream = (number: number, dictionary: string, content: Buffer) => {
		const packed = deflateSync(content, { level: 9 }).toString('latin1');
		add(
			`${number} 0 obj\n<<${dictionary} /Filter /FlateDecode /Length ${packed.length}>>\nstream\n${packed}\nendstream\nendobj\n`,
		);
	};

	const packable: [number: number, body: string][] = [];
	for (const [at, [number, offset]] of inFile.entries()) {
		const object = text.slice(offset, inFile[at + 1]?.[1] ?? start);
		const [, body] =
			new RegExp(`^${number} 0 obj\\s+(.*\\S)\\s+endobj\\s*$`, 's').exec(object) ?? refuse();
		if (!/\sendstream$/.test(body!)) packable.push([number, body!]);
		else {
			places[number] = [1, length, 0];
			add(object);
		}
	}
	for (let from = 0; from < packable.length; from += GROUP) {
		const group = packable.slice(from, from + GROUP);
		let at = 0;
		const index = group.map(([number, body]) => {
			const entry = `${number} ${at}`;
			at += body.length + 1;
			return entry;
		});
		const head = `${index.join(' ')}\n`;
		const bodies = group.map(([, body]) => body).join('\n');
		const stream = newNumber();
		addStream(
			stream,
			`/Type /ObjStm /N ${group.length} /First ${head.length}`,
			Buffer.from(head + bodies, 'latin1'),
		);
		for (const [order, [number]] of group.entries()) places[number] = [2, stream, order];
	}
	const end = length;
	const last = newNumber();
	const table = Buffer.alloc(7 * places.length);
	for (const [at, [kind, where, index]] of places.entries()) {
		table.writeUInt8(kind, 7 * at);
		table.writeUInt32BE(where, 7 * at + 1);
		table.writeUInt16BE(index, 7 * at + 5);
	}
	addStream(last, `/Type /XRef /Size ${last + 1} /W [1 4 2]${trailer!.trimEnd()}`, table);
	add(`startxref\n${end}\n%%EOF\n`);
	return Buffer.from(parts.join(''), 'latin1');
}

function refuse(): never {
	throw new Error('This PDF is not as Typst writes it.');
}
