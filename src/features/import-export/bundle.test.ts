import { expect, test } from 'vitest';
import { importedMedia } from './bundle.ts';

test('the id of an image is a UUID, that of a drawing has its prefix before it', () => {
	const uuid = crypto.randomUUID();
	const isAccepted = (id: string) =>
		importedMedia.safeParse({ id, name: 'a.svg', createdAt: '2026-11-27T00:00:00Z' }).success;
	expect([uuid, `drawing-${uuid}`].map(isAccepted)).toEqual([true, true]);
	const wrong = [
		'',
		'drawing-',
		'drawing-../../secret',
		`picture-${uuid}`,
		`drawing-drawing-${uuid}`,
	];
	expect(wrong.filter(isAccepted)).toEqual([]);
});
