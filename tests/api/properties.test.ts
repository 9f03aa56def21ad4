import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitSubjectOf } from '#functions/lib/public-form.ts';
import { readDownloadToken } from '#src/features/downloads/downloads.server.ts';
import { MAX_ADDRESS } from '#src/core/builds/rows.server.ts';
import { headerLine } from '#src/core/outbox/email-content.ts';
import { readerOfToken } from '#src/core/outbox/mail.server.ts';
import { POST_LIMITS, slugOf } from '#src/features/posts/editing.ts';
import { readPreviewToken } from '#src/features/posts/preview-links.server.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { searchPosts } from '#src/features/search/search.server.ts';
import { csvRow, parseCsv, unescapeFormula } from '#src/lib/csv.ts';
import { AppError } from '#src/lib/errors.ts';
import { parseRange } from '#src/lib/range.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { addressOf } from '#src/host/server.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

/** Any text, with what breaks things more often than chance would. */
const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 80 }),
	fc
		.array(
			fc.constantFrom(
				'"',
				"'",
				'<',
				'>',
				'&',
				',',
				'\n',
				'\r\n',
				'\0',
				'\ud800',
				'..',
				'%',
				'=',
				'-',
				'::',
				'a',
				'1',
				' ',
			),
			{ maxLength: 12 },
		)
		.map((parts) => parts.join('')),
);
const secret = 'a secret that only the tests know';
const runs = { numRuns: 300, seed: 20_261_122 };

test('escaped text holds nothing that begins or ends markup', () => {
	fc.assert(
		fc.property(text, (value) => {
			expect(escapeHtml(value)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
		}),
		runs,
	);
});

test('what was sealed is unsealed, for its own purpose only; anything else is nothing', () => {
	fc.assert(
		fc.property(text, text, (value, other) => {
			const sealed = seal(secret, 'reader', value);
			expect(unseal(secret, 'reader', sealed)).toBe(value.toWellFormed());
			expect(unseal(secret, 'download', sealed)).toBeNull();
			expect(unseal('another secret', 'reader', sealed)).toBeNull();
			expect(unseal(secret, 'reader', other)).toBeNull();
		}),
		runs,
	);
});

test('no made-up link opens anything', () => {
	fc.assert(
		fc.property(text, (token) => {
			expect(readDownloadToken(secret, token, new Date())).toBeNull();
			expect(readPreviewToken(token, secret)).toBeNull();
			expect(() => readerOfToken(secret, token, new Date())).toThrow(AppError);
		}),
		runs,
	);
});

test('a range lies within its file, or is none', () => {
	const header = fc.oneof(
		text,
		fc.tuple(fc.nat(), fc.nat()).map(([start, end]) => `bytes=${start}-${end}`),
		fc.constantFrom('bytes=-', 'bytes=--1', 'bytes=1e3-', 'bytes=-99999999999999999999'),
	);
	fc.assert(
		fc.property(header, fc.nat({ max: 5000 }), (value, size) => {
			const range = parseRange(value, size);
			if (typeof range !== 'object') return;
			expect(range.start).toBeGreaterThanOrEqual(0);
			expect(range.end).toBeLessThan(size);
			expect(range.start).toBeLessThanOrEqual(range.end);
		}),
		runs,
	);
});

test('any address of a client is somebody, and never an error', () => {
	const part = fc.constantFrom(':', 'fe80', '0', 'ffff', 'g', '%eth0', '');
	const address = fc.oneof(
		text,
		fc.array(part, { maxLength: 12 }).map((parts) => parts.join(':')),
	);
	fc.assert(
		fc.property(address, (value) => {
			expect(typeof limitSubjectOf(value)).toBe('string');
			const incoming = { socket: {}, headers: { 'x-forwarded-for': value } };
			expect(typeof addressOf(incoming as never, true)).toBe('string');
		}),
		runs,
	);
});

test('every title has a slug that an address can hold', () => {
	fc.assert(
		fc.property(text, text, (title, slug) => {
			const made = slugOf({ title, slug });
			expect(made).toMatch(/^(\p{L}\p{M}*|\p{N})+(-(\p{L}\p{M}*|\p{N})+)*$/u);
			expect(made).toBe(slugOf({ title: '', slug: made }));
			expect(made.length).toBeLessThanOrEqual(POST_LIMITS.slug);
			expect(Buffer.byteLength(made)).toBeLessThanOrEqual(MAX_ADDRESS - 10);
		}),
		runs,
	);
});

test('a header made of a text has one line and nothing invisible', () => {
	fc.assert(
		fc.property(text, (value) => {
			expect(headerLine(value)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
			expect(headerLine(value).length).toBeLessThanOrEqual(200);
		}),
		runs,
	);
});

test('a row of a sheet is read as it was written', () => {
	fc.assert(
		fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (values) => {
			const header = csvRow(values.map((_, index) => `column ${index}`));
			const [, read] = parseCsv(header + csvRow(values));
			expect(read!.values.map(unescapeFormula)).toEqual(values);
		}),
		runs,
	);
});

test('a sanitized article is safe, and sanitizing it again changes nothing', () => {
	const piece = fc.oneof(
		text,
		fc.constantFrom(
			'<script>x</script>',
			'<img src=x onerror=alert(1)>',
			'<a href="javascript:alert(1)">a</a>',
			'<svg><script>1</script></svg>',
			'<p style="x">',
			'</p>',
			'<table><tr><td>',
			'<iframe src="//x">',
			'<math><mi xlink:href="data:x">',
			'<!--',
			'-->',
			'<h2 id="x">t</h2>',
		),
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
			const once = sanitizeArticle(pieces.join(''));
			expect(once).not.toMatch(/<script|<iframe|<[^>]*\son\w+\s*=|<[^>]*javascript:/i);
			expect(sanitizeArticle(once)).toBe(once);
		}),
		runs,
	);
});

test('whatever is searched for, the search answers', async () => {
	const db = await useTestDb();
	await makePost(db, { title: 'Kalman filters', tags: ['robotics'] });
	const query = fc.oneof(
		text,
		fc.constantFrom(
			'"',
			'NEAR(',
			'a AND',
			'NOT',
			'^',
			'*',
			'title:',
			'(((',
			'-x',
			'kalman" OR "',
			'{}:',
		),
	);
	await fc.assert(
		fc.asyncProperty(query, async (q) => {
			expect(Array.isArray(await searchPosts(db, { q }, new Date()))).toBe(true);
		}),
		runs,
	);
});
