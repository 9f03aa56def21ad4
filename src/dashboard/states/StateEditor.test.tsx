// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import type { EditedState, StateForm } from '#src/features/states/editing.ts';
import { StateEditor } from './StateEditor.tsx';
import { stateWritings } from './state.store.ts';
import '#tests/support/dialogs.ts';

const form: StateForm = {
	capital: 'Columbus',
	description: 'Insurers.',
	startupEcosystem: 'Funds.',
	metaTitle: 'Ohio',
	metaDescription: '',
	majorCities: ['Columbus', 'Cleveland'],
	aiCompanies: [],
	universities: [],
	techHubs: [],
	keyIndustries: [],
	aiInitiatives: [],
	researchCenters: [],
	governmentSupport: [],
	keywords: [],
	answers: {},
	figures: [
		{
			key: 'dataScientists.employment',
			label: 'Data Scientists (15-2051): employment',
			value: 4660,
			unit: 'jobs',
			source: 'A bureau',
			asOf: '2023-05',
		},
	],
};
let stored: EditedState;
let sent: Record<string, unknown>[];
let refusal: Response | undefined;

beforeEach(() => {
	stored = {
		...form,
		id: 's',
		name: 'Ohio',
		slug: 'ohio',
		abbreviation: 'OH',
		population: 1,
		aiJobs: 4660,
		averageSalary: null,
		offer: { ...form, description: 'From the file.' },
		version: 3,
		updatedAt: '2026-01-01T00:00:00.000Z',
	};
	sent = [];
	refusal = undefined;
	stateWritings.$writings.set({});
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (url.endsWith('/unsaved')) return Response.json({ copy: null });
		if (init?.method !== 'PUT') return Response.json(stored);
		const body = JSON.parse(init.body as string) as Record<string, unknown>;
		sent.push(body);
		if (refusal) return refusal;
		const { settled, ...changes } = body;
		stored = { ...stored, ...changes, ...(settled === true && { offer: null }), version: 4 };
		return Response.json({ ...stored, undo: 'token' });
	});
});
afterEach(() => {
	cleanup();
	$toasts.set([]);
});

const open = () => render(<StateEditor slug="ohio" onClose={() => {}} onMoved={() => {}} />);
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const type = async (label: string, text: string) => {
	await userEvent.clear(await field(label));
	await userEvent.type(await field(label), text);
};
const VALUE = 'Data Scientists (15-2051): employment: value';

test('a newer file is taken for what differs, without what is typed elsewhere', async () => {
	open();
	await type('Capital', 'Dayton');
	await press('Take it');
	expect((await field('Description')).value).toBe('From the file.');
	expect((await field('Capital')).value).toBe('Dayton');
	expect(sent).toEqual([]);
	await press('Save');
	await waitFor(() => expect(screen.queryByRole('region', { name: 'Newer file' })).toBeNull());
	expect(sent).toEqual([
		{ version: 3, capital: 'Dayton', description: 'From the file.', settled: true },
	]);
});

test('a newer file is compared field by field, or left', async () => {
	open();
	await field('Capital');
	await press('Compare');
	const region = screen.getByRole('region', { name: 'Compare' });
	expect(region.textContent).toContain('Description');
	expect(region.textContent).not.toContain('Capital');
	await press('Later');
	await press('Keep mine');
	await waitFor(() => expect(screen.queryByRole('region', { name: 'Newer file' })).toBeNull());
	expect(sent).toEqual([{ version: 3, settled: true }]);
	expect((await field('Description')).value).toBe('Insurers.');
});

test('a number that cannot be read is not saved as none, and stays as typed', async () => {
	open();
	await type(VALUE, '12 thousand');
	await press('Save');
	expect((await screen.findByRole('alert')).textContent).toBe('Not saved: Use a number from 0.');
	expect(sent).toEqual([]);
	expect((await field(VALUE)).value).toBe('12 thousand');
	await type(VALUE, '5,120');
	await press('Save');
	await waitFor(() => expect(sent).toHaveLength(1));
	expect(sent[0]).toMatchObject({ figures: [{ value: 5120, asOf: '2023-05' }] });
});

test('a refusal is shown at its field, and nothing typed is lost', async () => {
	open();
	await type('Capital', 'Dayton');
	const error = { code: 'validation', message: 'No.', fields: { capital: 'Please fill this in.' } };
	refusal = Response.json({ error }, { status: 400 });
	await press('Save');
	await waitFor(async () => expect((await field('Capital')).ariaInvalid).toBe('true'));
	expect((await field('Capital')).value).toBe('Dayton');
	cleanup();
	open();
	expect((await field('Capital')).value).toBe('Dayton');
});

test('another year begins with the source of the year before, and none published is an entry', async () => {
	open();
	await type('Another year', '2024{Enter}');
	expect(sent).toEqual([]);
	await userEvent.click(
		screen.getByRole('button', { name: 'Not published: Data Scientists (15-2051): employment' }),
	);
	await press('Save');
	await waitFor(() => expect(sent).toHaveLength(1));
	expect(sent[0]).toMatchObject({
		figures: [
			{ value: null, source: 'A bureau', asOf: '2024-05' },
			{ value: 4660, asOf: '2023-05' },
		],
	});
});

test('the version that is marked is the one that would be restored', async () => {
	const usual = fetch;
	const versions = [2, 1].map((version) => ({
		...{ version, savedAt: stored.updatedAt },
		...{ changed: ['Capital', 'Description'], added: 1200, removed: version - 1 },
	}));
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (url.endsWith('/revisions')) return Response.json(versions);
		if (url.endsWith('/revisions/1')) return new Promise(() => {});
		if (url.endsWith('/revisions/2'))
			return Response.json({ ...versions[0], form: { ...form, capital: 'Dayton' } });
		return usual(url, init);
	});
	open();
	await field('Capital');
	await press('Earlier versions');
	const version = (number: number) =>
		screen.findByRole('button', { name: new RegExp(`Version ${number}: capital and description`) });
	await screen.findByText('Restore this version');
	expect((await version(2)).textContent).toContain('+1,200 −1');
	expect((await version(1)).textContent).toContain('1,200 words added, 0 words removed');
	await userEvent.click(await version(1));
	expect((await version(2)).getAttribute('aria-pressed')).toBe('true');
});

test('who saved another place meanwhile is merged with, and nothing is asked', async () => {
	open();
	await type('Capital', 'Dayton');
	const error = { code: 'conflict', message: 'Changed.' };
	const theirs = { ...stored, description: 'Theirs.', version: 7 };
	refusal = Response.json({ error, stored: theirs }, { status: 409 });
	const usual = fetch;
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		const answer = await usual(url, init);
		refusal = undefined;
		return answer;
	});
	await press('Save');
	await waitFor(() => expect(sent).toHaveLength(2));
	expect(sent[1]).toEqual({ version: 7, capital: 'Dayton' });
	expect((await field('Description')).value).toBe('Theirs.');
	expect(screen.queryByRole('region', { name: 'Compare' })).toBeNull();
	await screen.findByText('Changed elsewhere meanwhile and taken over here: Description.');
});
