import { expect, test } from 'vitest';
import { parse } from '#src/lib/endpoint.ts';
import { AppError } from '#src/lib/errors.ts';
import {
	commentFailure,
	commentInput,
	findSpam,
	SPAM_MESSAGE,
	threadsOf,
	type CommentView,
} from './comment.ts';

const whole = { postId: 'p1', author: 'Ada', email: 'ada@example.com', content: 'Well said' };

function refusal(change: object): unknown {
	try {
		parse(commentInput, { ...whole, ...change });
	} catch (error) {
		return error;
	}
	return undefined;
}

test.each([
	[refusal({ author: ' ' }), 'Missing information', 'Please fill in all fields'],
	[refusal({ email: '' }), 'Missing information', 'Please fill in all fields'],
	[refusal({ content: '', email: 'x' }), 'Missing information', 'Please fill in all fields'],
	[refusal({ email: 'ada@' }), 'Invalid email', undefined],
	[refusal({ content: 'ab' }), 'Comment blocked', undefined],
	[
		new AppError('validation', 'No', { fields: { content: SPAM_MESSAGE } }),
		'Comment blocked',
		undefined,
	],
	[new AppError('rate_limited', 'Please wait.'), 'Too many comments', undefined],
	[new AppError('network', 'No network'), 'Error', 'Failed to post comment. Please try again.'],
	[new TypeError('a bug'), 'Error', 'Failed to post comment. Please try again.'],
])('a refused comment is told: %o', (error, title, description) => {
	expect(commentFailure(error)).toEqual({ title, description });
});

const LISTED = ['buy', 'free', 'click here', 'c++', '.*'];
const named = (word: string) =>
	`${SPAM_MESSAGE}. “${word}” is on the list of words that are not published here.`;

test.each([
	['All FREE today', named('FREE')],
	['So: click here!', named('click here')],
	['I like c++.', named('c++')],
	['Match .* greedily', named('.*')],
	['freedom, buyers, c+, clicked here', undefined],
	['see https://example.com', `${SPAM_MESSAGE}. Links are not published here.`],
	['w'.repeat(11), `${SPAM_MESSAGE}. It repeats one character more than 10 times.`],
])('%j is refused in so many words: %s', (text, reason) => {
	expect(findSpam(text, LISTED)).toBe(reason);
});

test('an empty list refuses no word', () => {
	expect(findSpam('buy cheap viagra', [])).toBeUndefined();
});

test('threads have the pinned one first and answers oldest first; an answer to nothing stands alone', () => {
	const view = (id: string, parentId: string | null = null, pinned = false): CommentView => ({
		id,
		parentId,
		pinned,
		author: id,
		content: id,
		createdAt: '',
		byOwner: false,
		editedAt: null,
	});
	const newestFirst = [
		view('e', 'b'),
		view('d', 'gone'),
		view('c', 'b'),
		view('b'),
		view('a', null, true),
	];
	expect(
		threadsOf(newestFirst).map(({ comment, replies }) => [
			comment.id,
			...replies.map(({ id }) => id),
		]),
	).toEqual([['a'], ['d'], ['b', 'c', 'e']]);
});
