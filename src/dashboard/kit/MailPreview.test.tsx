// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PostedFrame } from './MailPreview.tsx';

afterEach(cleanup);

test('two emails that are previewed at once have a frame each', () => {
	HTMLFormElement.prototype.submit = () => {};
	const frame = (action: string) => (
		<PostedFrame title={action} width={640} action={action} fields={{}} />
	);
	render(
		<>
			{frame('/letter')}
			{frame('/reply')}
		</>,
	);
	const names = [...document.querySelectorAll('iframe')].map(({ name }) => name);
	const targets = [...document.querySelectorAll('form')].map(({ target }) => target);
	expect(new Set(names).size).toBe(2);
	expect(targets).toEqual(names);
});
