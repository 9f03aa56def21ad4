import { expect, test } from 'vitest';
import { parse } from '#src/lib/endpoint.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { signupFailure, subscribeFailure, subscriberInput } from './subscriber.ts';

function refusal(input: object): unknown {
	try {
		parse(subscriberInput, input);
	} catch (error) {
		return error;
	}
	return undefined;
}

test.each([
	[
		refusal({ email: '  ' }),
		{ title: 'Email required', description: 'Please enter your email address.' },
	],
	[
		refusal({ email: 'ada@' }),
		{ title: 'Subscription failed', description: 'Please enter a valid email address' },
	],
	[
		new AppError('network', MESSAGES.network),
		{ title: 'Subscription failed', description: MESSAGES.network },
	],
	[
		new TypeError('a bug'),
		{ title: 'Subscription failed', description: 'Please try again later.' },
	],
	[
		new AppError('server', MESSAGES.server),
		{ title: 'Subscription failed', description: MESSAGES.server },
	],
	[
		new AppError('upstream', '502: <html>Bad gateway</html>'),
		{ title: 'Subscription failed', description: 'Please try again later.' },
	],
	[
		new AppError('unknown', MESSAGES.unknown),
		{ title: 'Subscription failed', description: 'Please try again later.' },
	],
])('a refused signup is told: %o', (error, notice) => {
	expect(signupFailure(error)).toEqual(notice);
});

test.each([
	[
		refusal({ email: '' }),
		{ title: 'Email required', description: 'Please enter your email address.' },
	],
	[new AppError('network', MESSAGES.network), { title: 'Error', description: MESSAGES.network }],
	[
		new TypeError('a bug'),
		{ title: 'Error', description: 'Failed to subscribe. Please try again.' },
	],
])('a refusal of the other forms is told: %o', (error, notice) => {
	expect(subscribeFailure(error)).toEqual(notice);
});
