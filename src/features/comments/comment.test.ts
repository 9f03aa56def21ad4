import { expect, test } from 'vitest';
import { parse } from '#src/lib/endpoint.ts';
import { AppError } from '#src/lib/errors.ts';
import { commentFailure, commentInput, SPAM } from './comment.ts';

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
	[refusal({ email: 'ada@' }), 'Invalid email', 'Please enter a valid email address'],
	[refusal({ content: 'ab' }), 'Comment blocked', 'Write 3 characters or more'],
	[new AppError('validation', 'No', { fields: { content: SPAM } }), 'Comment blocked', SPAM],
	[new AppError('rate_limited', 'Please wait.'), 'Too many comments', 'Please wait.'],
	[new AppError('network', 'No network'), 'Error', 'Failed to post comment. Please try again.'],
	[new TypeError('a bug'), 'Error', 'Failed to post comment. Please try again.'],
])('a refused comment is told: %o', (error, title, description) => {
	expect(commentFailure(error)).toEqual({ title, description });
});
