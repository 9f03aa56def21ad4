// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { globSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { island } from './ErrorBoundary.tsx';

afterEach(cleanup);

/** A view that throws until it is mended. */
function setup(level: 'section' | 'page') {
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	let broken = true;
	const View = island(({ name }: { name: string }) => {
		if (broken) throw new Error('The answer makes no sense.');
		return <p>Hello, {name}</p>;
	}, level);
	render(<View name="Ada" />);
	return { logged, mend: () => (broken = false) };
}

test('a section that throws says so in its place, and tries again', async () => {
	const { logged, mend } = setup('section');
	expect(screen.getByRole('alert').textContent).toContain('Section Error');
	expect(screen.getByRole('alert').textContent).not.toContain('makes no sense');
	expect(logged.mock.calls.flat().map(String).join()).toContain('makes no sense');
	mend();
	await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
	expect(screen.getByText('Hello, Ada')).toBeDefined();
	expect(screen.queryByRole('alert')).toBeNull();
});

test('a page that throws shows the message, tries again, and leads home', async () => {
	const { mend } = setup('page');
	expect(screen.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeDefined();
	expect(screen.getByText('The answer makes no sense.')).toBeDefined();
	expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/');
	mend();
	await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
	expect(screen.getByText('Hello, Ada')).toBeDefined();
});

test('trying again what is still broken shows the fallback again', async () => {
	setup('page');
	await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
	expect(screen.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeDefined();
});

test('every island of the site has its boundary', () => {
	const islands: string[] = [];
	const bare: string[] = [];
	for (const page of globSync('src/**/*.astro')) {
		const text = readFileSync(page, 'utf8');
		for (const [, name] of text.matchAll(/<(\w+)[^<>]*?\sclient:/g)) {
			islands.push(name!);
			const file = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(
				text,
			)?.[1];
			const path = file?.replace('#', '').replace('./', `${page.replace(/[^/]+$/, '')}`);
			const code = path ? readFileSync(path, 'utf8') : '';
			if (!code.includes(`export const ${name} = island(`)) bare.push(`${name} in ${page}`);
		}
	}
	expect(islands).toContain('Comments');
	expect(bare).toEqual([]);
});
