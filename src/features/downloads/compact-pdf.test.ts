import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { compactPdf } from './compact-pdf.ts';

/** A PDF of one page with a title of bytes and more objects than a stream holds, in reverse order in the file. */
function makePdf(): Buffer {
	const content = 'BT /F 12 Tf 9 9 Td (Words of a page) Tj ET';
	const objects = [
		'<</Type /Catalog /Pages 2 0 R>>',
		'<</Type /Pages /Kids [3 0 R] /Count 1>>',
		'<</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>',
		`<</Length ${content.length}>>\nstream\n${content}\nendstream`,
		'<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
		'<</Title (\xe9\\)\x80 endobj \xff)>>',
		...Array.from({ length: 450 }, (_, index) => `[${index} (padding)]`),
	];
	let file = '%PDF-1.7\n';
	const offsets = objects.map(() => 0);
	for (const [index, body] of [...objects.entries()].reverse()) {
		offsets[index] = file.length;
		file += `${index + 1} 0 obj\n${body}\nendobj\n\n`;
	}
	const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	const size = objects.length + 1;
	file += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<<\n  /Size ${size}\n  /Root 1 0 R\n  /Info 6 0 R\n>>\nstartxref\n${file.length}\n%%EOF`;
	return Buffer.from(file, 'latin1');
}

async function read(bytes: Uint8Array) {
	const pdf = await getDocumentProxy(new Uint8Array(bytes));
	const { text } = await extractText(pdf, { mergePages: false });
	return { text, info: (await pdf.getMetadata()).info };
}

test('all objects are there in a part of the bytes', async () => {
	const pdf = makePdf();
	const compact = compactPdf(pdf);
	expect(compact.length).toBeLessThan(pdf.length / 4);
	expect(await read(pdf)).toMatchObject({ text: ['Words of a page'] });
	expect(await read(compact)).toEqual(await read(pdf));
});

test('a PDF of another make is refused', () => {
	const pdf = makePdf();
	expect(() => compactPdf(compactPdf(pdf))).toThrow('not as Typst writes it');
	expect(() => compactPdf(pdf.subarray(0, -9))).toThrow('not as Typst writes it');
});
