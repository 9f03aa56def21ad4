import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EditedPost } from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { AppError, MESSAGES, type ErrorCode } from '#src/lib/errors.ts';
import type { CopyStore, LocalCopy } from './local-copies.ts';
import { DELAYS, RETRIES, workingForm } from './machine.ts';
import type { Server } from './saving.store.ts';
import { startWriting } from './writing.store.ts';

/** One post of a server that counts versions as the real one does. */
function serverOf(start: PostForm | null) {
	let post = start ? postOf(start, 1) : null;
	let failure: ErrorCode | null = null;
	/** Calls whose work is done and whose answer is lost. */
	let losses = 0;
	let made = 0;
	let madeAs: string | undefined;
	const calls: string[] = [];
	const answer = <Out>(out: Out): Out => {
		if (losses-- > 0) throw new AppError('timeout', MESSAGES.timeout);
		return out;
	};
	const guard = (name: string) => {
		calls.push(name);
		if (failure)
			throw new AppError(failure, failure in MESSAGES ? MESSAGES[failure as 'network'] : 'No.');
	};
	const conflict = () => new AppError('conflict', 'Changed elsewhere.');
	const server: Server = {
		async open() {
			guard('open');
			return post!;
		},
		async create(id, form) {
			guard('create');
			if (!post || id !== madeAs) {
				made++;
				madeAs = id;
				const isOpen = form.categoryId === '';
				const category = { name: 'Uncategorized', slug: 'uncategorized' };
				const { title, slug } = form.title
					? { title: form.title, slug: form.slug || 'made' }
					: { title: 'Untitled', slug: 'untitled-2' };
				post = postOf({ ...form, title, slug, categoryId: isOpen ? 'c0' : form.categoryId }, 1);
				if (isOpen) post = { ...post, category };
			}
			return answer(post);
		},
		async update(_id, form, version) {
			guard('update');
			if (post!.version !== version) throw conflict();
			post = postOf({ ...form, readTime: form.readTime ?? 1 }, version + 1);
			return answer(post);
		},
		async draft(_id, form, version, baseVersion) {
			guard('draft');
			if ((post!.draft?.version ?? null) !== version) throw conflict();
			const draft = {
				form,
				version: (version ?? 0) + 1,
				baseVersion,
				updatedAt: '2026-11-21T00:00:00Z',
			};
			post = { ...post!, draft };
			return answer(draft);
		},
	};
	return {
		server,
		calls,
		fail: (code: ErrorCode | null) => (failure = code),
		lose: (count: number) => (losses = count),
		get made() {
			return made;
		},
		get post() {
			return post!;
		},
	};
}

function postOf(form: PostForm, version: number): EditedPost {
	return {
		...form,
		id: 'p1',
		category: { name: 'A', slug: 'a' },
		readTime: 1,
		publishedAt: null,
		tags: [],
		createdAt: '',
		updatedAt: '',
		state: 'draft',
		savedAt: '',
		version,
		form,
		draft: null,
		offer: null,
		deletedAt: null,
		path: '/blog/x',
		program: null,
		digest: `d${version}`,
	};
}

function deviceOf() {
	const copies = new Map<string, LocalCopy>();
	let broken = false;
	const device: CopyStore = {
		async save(key, copy) {
			if (broken) throw new Error('No room.');
			copies.set(key, copy);
		},
		async remove(key) {
			copies.delete(key);
		},
	};
	return { device, copies, breakDown: () => (broken = true) };
}

const FORM = { ...emptyForm, title: 'A title', categoryId: 'c1', content: '<p>One</p>', slug: 'x' };

function begin(start: PostForm | null = FORM, form = start ?? emptyForm, copy?: string) {
	const remote = serverOf(start);
	const local = deviceOf();
	if (copy) local.copies.set(copy, { postId: start && 'p1', form, at: 0 });
	const writing = startWriting(
		{ post: start && remote.post, form, ...(copy && { copy }) },
		{ server: remote.server, device: local.device, session: 't1' },
	);
	return { remote, local, writing, save: () => writing.state.get().save };
}
const type = (words: string) => ({ content: `<p>${words}</p>` });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is typed is on the device in a moment, on the server soon after, and then forgotten by the device', async () => {
	const { remote, local, writing, save } = begin();
	writing.edit(type('Two'));
	expect(save()).toBe('unsaved');
	expect(writing.atRisk()).toBe(true);
	await vi.advanceTimersByTimeAsync(DELAYS.device);
	expect(local.copies.get('p1|t1')?.form.content).toBe('<p>Two</p>');
	expect(writing.atRisk()).toBe(false);
	expect(remote.calls).toEqual([]);
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(remote.post.draft?.form.content).toBe('<p>Two</p>');
	expect(remote.post.form.content).toBe('<p>One</p>');
	expect(save()).toBe('saved');
	expect(local.copies.size).toBe(0);
});

test('typing without a pause is saved all the same', async () => {
	const { remote, writing } = begin();
	for (let index = 0; index < 12; index++) {
		writing.edit(type(`Word ${index}`));
		await vi.advanceTimersByTimeAsync(1000);
	}
	expect(remote.calls.length).toBeGreaterThanOrEqual(1);
});

test('a change that is taken back needs no saving', async () => {
	const { remote, writing } = begin();
	writing.edit(type('Two'));
	writing.edit(type('One'));
	await vi.advanceTimersByTimeAsync(DELAYS.longest * 2);
	expect(remote.calls).toEqual([]);
	expect(writing.isDirty()).toBe(false);
});

test('a change that is taken back leaves nothing to save, and no copy on the device', async () => {
	const { local, writing, save } = begin();
	writing.edit(type('Two'));
	await vi.advanceTimersByTimeAsync(DELAYS.device);
	expect(local.copies.size).toBe(1);
	writing.edit(type('One'));
	expect(save()).toBe('saved');
	await vi.advanceTimersByTimeAsync(0);
	expect(local.copies.size).toBe(0);
});

test('a change that is taken back while it is sent is saved once more', async () => {
	const { remote, writing, save } = begin();
	const draft = remote.server.draft.bind(remote.server);
	remote.server.draft = async (...given) => {
		if (remote.calls.length === 0) writing.edit(type('One'));
		return draft(...given);
	};
	writing.edit(type('Two'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('unsaved');
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('saved');
	expect(remote.post.draft?.form.content).toBe('<p>One</p>');
});

test.each<ErrorCode>(['network', 'timeout', 'server', 'unavailable', 'rate_limited'])(
	'while nobody answers (%s) the device keeps it; then the server gets it without being asked',
	async (code) => {
		const { remote, local, writing, save } = begin();
		remote.fail(code);
		writing.edit(type('Two'));
		await vi.advanceTimersByTimeAsync(DELAYS.server);
		expect(save()).toBe('unreachable');
		expect(local.copies.get('p1|t1')?.form.content).toBe('<p>Two</p>');
		expect(writing.atRisk()).toBe(false);
		remote.fail(null);
		await vi.advanceTimersByTimeAsync(RETRIES[0]);
		expect(save()).toBe('saved');
		expect(remote.post.draft?.form.content).toBe('<p>Two</p>');
	},
);

test('words typed during an outage of a minute arrive with all that came before', async () => {
	const { remote, writing, save } = begin();
	remote.fail('network');
	for (let second = 0; second < 60; second++) {
		writing.edit({ content: `${writing.state.get().form.content}\n<p>${second}</p>` });
		await vi.advanceTimersByTimeAsync(1000);
	}
	remote.fail(null);
	await vi.advanceTimersByTimeAsync(RETRIES.at(-1)! + DELAYS.longest);
	expect(save()).toBe('saved');
	expect(remote.post.draft?.form.content).toBe(writing.state.get().form.content);
	expect(remote.post.draft?.form.content.match(/<p>/g)).toHaveLength(61);
});

test('typing does not hurry the next try of a server that does not answer', async () => {
	const { remote, writing, save } = begin();
	remote.fail('network');
	for (let key = 0; key < 100; key++) {
		writing.edit({ content: `${writing.state.get().form.content}.` });
		await vi.advanceTimersByTimeAsync(500);
	}
	// A first try, and those after 3, 6 and 15 seconds.
	expect(remote.calls).toHaveLength(4);
	expect(save()).toBe('unreachable');
});

test('a publication that did not reach the server holds up no words that are typed later', async () => {
	const { remote, writing, save } = begin();
	remote.fail('network');
	await expect(writing.submit({ published: true })).rejects.toMatchObject({ code: 'network' });
	remote.fail(null);
	await vi.advanceTimersByTimeAsync(60_000);
	writing.edit(type('Two'));
	await vi.advanceTimersByTimeAsync(RETRIES[0]);
	expect(save()).toBe('saved');
	expect(remote.post.draft?.form).toMatchObject(type('Two'));
});

test('another version that cannot be read is asked for again, later each time', async () => {
	const { remote, writing, save } = begin();
	await remote.server.draft('p1', { ...FORM, ...type('Theirs') }, null, 1);
	const open = vi.fn(() => Promise.reject(new AppError('server', MESSAGES.server)));
	remote.server.open = open;
	for (let second = 0; second < 60; second++) {
		writing.edit(type(`Mine, ${second}`));
		await vi.advanceTimersByTimeAsync(1000);
	}
	expect(save()).toBe('unreachable');
	expect(open.mock.calls.length).toBeLessThan(10);
});

test('after a session has ended the words stay, and are saved when somebody is signed in', async () => {
	const { remote, local, writing, save } = begin();
	remote.fail('unauthorized');
	writing.edit(type('Two'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('signed-out');
	expect(local.copies.size).toBe(1);
	const { length } = remote.calls;
	await vi.advanceTimersByTimeAsync(120_000);
	expect(remote.calls).toHaveLength(length);
	// Nobody who goes on writing is asked again and again.
	writing.edit(type('Three'));
	await vi.advanceTimersByTimeAsync(120_000);
	expect(remote.calls).toHaveLength(length);
	expect(save()).toBe('signed-out');
	remote.fail(null);
	await writing.flush();
	expect(save()).toBe('saved');
	expect(remote.post.draft?.form).toMatchObject(type('Three'));
});

test('nothing but what says so makes a post public, or takes it back', async () => {
	const remote = serverOf(FORM);
	await remote.server.draft('p1', { ...FORM, published: true, ...type('Two') }, null, 1);
	const form = workingForm(remote.post);
	const { device } = deviceOf();
	const writing = startWriting(
		{ post: remote.post, form: { ...form, published: true } },
		{ server: remote.server, device, session: 't1' },
	);
	await writing.submit({});
	expect(remote.post.form).toMatchObject({ published: false, ...type('Two') });
	await writing.submit({ published: true });
	writing.edit(type('Three'));
	await writing.submit({});
	expect(remote.post.form).toMatchObject({ published: true, ...type('Three') });
});

test.each([
	['a slug that is the title’s', { slug: 'a-title' }, { slug: '' }],
	['a slug of its own', { slug: 'x' }, { slug: 'x' }],
	['minutes that were counted', { readTime: 1 }, { readTime: null }],
	['minutes that were given', { readTime: 9 }, { readTime: 9 }],
])('%s may follow the words', (_name, stored, open) => {
	expect(workingForm(postOf({ ...FORM, readTime: 1, ...stored }, 1))).toMatchObject(open);
});

test('the address of a post that was public follows nothing', () => {
	const post = { ...postOf({ ...FORM, slug: 'a-title' }, 1), publishedAt: '2026-01-01T00:00:00Z' };
	expect(workingForm(post).slug).toBe('a-title');
});

test('a day that is planned for a draft stays, though the server stores none', async () => {
	const { remote, writing } = begin();
	const { server } = remote;
	const update = server.update.bind(server);
	server.update = async (...call) => {
		const { form, ...post } = await update(...call);
		return { ...post, form: { ...form, publishedAt: '' } };
	};
	const publishedAt = '2030-01-01T00:00:00.000Z';
	writing.edit({ publishedAt });
	await writing.submit({});
	expect(writing.state.get().form).toMatchObject({ publishedAt });
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(remote.post.draft?.form).toMatchObject({ publishedAt });
});

test('a title is not saved while it is being typed, however long there was none', async () => {
	const { remote, writing } = begin(null);
	writing.edit(type('First words'));
	await vi.advanceTimersByTimeAsync(2 * DELAYS.longest);
	writing.edit({ categoryId: 'c1' });
	for (const title of ['H', 'Ho', 'How']) {
		writing.edit({ title });
		await vi.advanceTimersByTimeAsync(500);
	}
	expect(remote.calls).toEqual(['create']);
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(remote.calls).toEqual(['create', 'draft']);
});

test('a refusal says why, keeps the words and is not repeated', async () => {
	const { remote, local, writing, save } = begin();
	remote.fail('too_large');
	writing.edit(type('Two'));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(save()).toBe('refused');
	expect(remote.calls).toHaveLength(1);
	expect(local.copies.size).toBe(1);
});

test('what another tab saved is never written over: both are there to choose from', async () => {
	const { remote, local, writing, save } = begin();
	await remote.server.draft('p1', { ...FORM, ...type('Theirs') }, null, 1);
	writing.edit(type('Mine'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('conflict');
	const { conflict, form } = writing.state.get();
	expect(conflict?.form.content).toBe('<p>Theirs</p>');
	expect(conflict?.base.content).toBe('<p>One</p>');
	expect(form.content).toBe('<p>Mine</p>');
	expect(remote.post.draft?.form.content).toBe('<p>Theirs</p>');
	// Typing goes on, and stays on the device.
	writing.edit(type('Mine, more'));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(remote.post.draft?.form.content).toBe('<p>Theirs</p>');
	expect(local.copies.get('p1|t1')?.form.content).toBe('<p>Mine, more</p>');

	await writing.resolve({ ...FORM, ...type('Mine and theirs') });
	expect(save()).toBe('saved');
	expect(remote.post.draft?.form.content).toBe('<p>Mine and theirs</p>');
});

test('where the other version says the same there is nothing to choose', async () => {
	const { remote, writing, save } = begin();
	await remote.server.draft('p1', { ...FORM, ...type('Same') }, null, 1);
	writing.edit(type('Same'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('saved');
	expect(writing.state.get().conflict).toBeNull();
});

test('a save of the post with an old version is a conflict too', async () => {
	const { remote, writing, save } = begin();
	await remote.server.update('p1', { ...FORM, ...type('Theirs') }, 1, null, undefined);
	writing.edit(type('Mine'));
	await expect(writing.submit({ published: true })).rejects.toMatchObject({ code: 'conflict' });
	expect(save()).toBe('conflict');
	expect(remote.post.form).toMatchObject({ ...type('Theirs'), published: false });
});

test('while there are two versions to choose from nothing is saved over theirs', async () => {
	const { remote, writing, save } = begin();
	await remote.server.draft('p1', { ...FORM, ...type('Theirs') }, null, 1);
	writing.edit(type('Mine'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('conflict');
	await expect(writing.submit({})).rejects.toMatchObject({
		code: 'conflict',
		message: 'Choose between the two versions first.',
	});
	expect(remote.calls).not.toContain('update');
	expect(save()).toBe('conflict');
	await writing.resolve({ ...FORM, ...type('Both') });
	await writing.submit({});
	expect(remote.post.form.content).toBe('<p>Both</p>');
});

test('before another call changes the post, all that was typed is saved, or it is said why not', async () => {
	const { remote, writing } = begin();
	await writing.saveAll();
	expect(remote.calls).toEqual([]);
	writing.edit(type('Two'));
	writing.edit(type('One'));
	await writing.saveAll();
	expect(remote.calls).toEqual([]);
	const draft = remote.server.draft.bind(remote.server);
	remote.server.draft = async (...given) => {
		if (writing.state.get().form.title !== 'Meanwhile') writing.edit({ title: 'Meanwhile' });
		return draft(...given);
	};
	writing.edit(type('Two'));
	await writing.saveAll();
	expect(remote.post.draft?.form).toMatchObject({ ...type('Two'), title: 'Meanwhile' });
	remote.fail('network');
	writing.edit(type('Three'));
	await expect(writing.saveAll()).rejects.toMatchObject({ message: MESSAGES.network });
	remote.fail(null);
	await remote.server.draft('p1', { ...FORM, ...type('Theirs') }, 2, 1);
	await expect(writing.saveAll()).rejects.toMatchObject({ code: 'conflict' });
});

test('a save tells which draft it knows, also where that is none, and what readers are told', async () => {
	const { remote, writing } = begin();
	const update = vi.spyOn(remote.server, 'update');
	await writing.submit({});
	expect(update).toHaveBeenLastCalledWith('p1', FORM, 1, null, undefined);
	writing.edit(type('Two'));
	await writing.flush();
	const notice = { kind: 'update' as const, note: 'Two' };
	await writing.submit({}, notice);
	const form = expect.objectContaining(type('Two')) as PostForm;
	expect(update).toHaveBeenLastCalledWith('p1', form, 2, 1, notice);
});

test('a new post is a draft on the server from its first words, and what that completed stays open', async () => {
	const { remote, local, writing, save } = begin(null);
	writing.edit(type('First words'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(remote.calls).toEqual(['create']);
	expect(remote.post.form).toMatchObject({
		published: false,
		title: 'Untitled',
		slug: 'untitled-2',
		content: '<p>First words</p>',
	});
	expect(writing.state.get()).toMatchObject({
		save: 'saved',
		post: { id: 'p1' },
		form: { title: '', categoryId: '', slug: '' },
	});
	expect(local.copies.size).toBe(0);
	writing.edit({ title: 'A title', categoryId: 'c1' });
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(remote.calls).toEqual(['create', 'draft']);
	expect(remote.post.draft?.form).toMatchObject({ title: 'A title', categoryId: 'c1', slug: '' });
	expect(save()).toBe('saved');
});

test('a title and a category of a writer stay what they are', () => {
	const post = postOf({ ...FORM, title: 'Untitled', slug: 'my-own' }, 1);
	expect(workingForm(post)).toMatchObject({ title: 'Untitled', slug: 'my-own', categoryId: 'c1' });
	const open = { ...postOf(FORM, 1), category: { name: 'Uncategorized', slug: 'uncategorized' } };
	expect(workingForm(open).categoryId).toBe('');
	expect(workingForm({ ...open, form: { ...FORM, published: true } }).categoryId).toBe('c1');
});

test('a new post whose answers are lost is made once, and has all that was typed meanwhile', async () => {
	const { remote, writing, save } = begin(null);
	remote.lose(2);
	writing.edit({ title: 'A title', categoryId: 'c1', ...type('One') });
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('unreachable');
	writing.edit(type('One, and more'));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(remote.calls.filter((name) => name === 'create')).toHaveLength(3);
	expect(remote.made).toBe(1);
	expect(save()).toBe('saved');
	expect(remote.post).toMatchObject({ form: type('One'), draft: { form: type('One, and more') } });
});

test('a new post is published once, also where the answer that made it was lost', async () => {
	const { remote, writing } = begin(null);
	remote.lose(1);
	writing.edit({ title: 'A title', categoryId: 'c1', ...type('One') });
	await expect(writing.submit({ published: true })).rejects.toMatchObject({ code: 'timeout' });
	expect(remote.post.form.published).toBe(false);
	await writing.submit({ published: true });
	expect(remote.made).toBe(1);
	expect(remote.post.form).toMatchObject({ published: true, ...type('One') });
});

test('a new post that is saved as it is takes one call', async () => {
	const { remote, writing } = begin(null);
	writing.edit({ title: 'A title', categoryId: 'c1' });
	expect(await writing.submit({})).toBe(remote.post);
	expect(remote.calls).toEqual(['create']);
});

test('a new post that was refused is sent anew as it is then', async () => {
	const { remote, writing } = begin(null);
	remote.fail('validation');
	writing.edit({ title: 'Too long', categoryId: 'c1' });
	await writing.flush();
	remote.fail(null);
	writing.edit({ title: 'Short' });
	await writing.flush();
	expect(remote.calls).toEqual(['create', 'create']);
	expect(remote.post.form.title).toBe('Short');
});

test('what somebody wrote in a new post before its answer came is not written over', async () => {
	const { remote, local, writing, save } = begin(null);
	remote.lose(1);
	writing.edit({ title: 'A title', categoryId: 'c1', ...type('One') });
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	await remote.server.draft('p1', { ...remote.post.form, ...type('Theirs') }, null, 1);
	writing.edit(type('Mine'));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(save()).toBe('conflict');
	expect(writing.state.get().conflict).toMatchObject({ form: type('Theirs'), base: type('One') });
	expect(remote.post.draft?.form.content).toBe('<p>Theirs</p>');
	expect([...local.copies]).toMatchObject([['p1|t1', { form: type('Mine') }]]);
});

test('an autosave whose answer is lost is no other version', async () => {
	const { remote, writing, save } = begin();
	remote.lose(1);
	writing.edit(type('Two'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(save()).toBe('unreachable');
	remote.fail('network');
	writing.edit(type('Two, and'));
	await vi.advanceTimersByTimeAsync(DELAYS.longest);
	remote.fail(null);
	writing.edit(type('Two, and more'));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(writing.state.get().conflict).toBeNull();
	expect(save()).toBe('saved');
	expect(remote.post.draft?.form.content).toBe('<p>Two, and more</p>');
});

test('a save whose answer is lost is no other version either, and is not repeated where nothing was added', async () => {
	const { remote, writing, save } = begin();
	writing.edit(type('Two'));
	await writing.flush();
	remote.lose(1);
	await expect(writing.submit({ published: true })).rejects.toMatchObject({ code: 'timeout' });
	expect(await writing.submit({ published: true })).toBe(remote.post);
	expect(remote.post).toMatchObject({ version: 2, form: { ...type('Two'), published: true } });
	expect(save()).toBe('saved');

	remote.lose(1);
	await expect(writing.submit({ title: 'B' })).rejects.toMatchObject({ code: 'timeout' });
	writing.edit(type('Three'));
	await writing.submit({ title: 'B' });
	expect(remote.post).toMatchObject({ version: 4, form: { ...type('Three'), title: 'B' } });
	expect(writing.state.get().conflict).toBeNull();
});

test('what is typed while a post is being saved stays', async () => {
	const { remote, writing } = begin();
	writing.edit({ title: 'B' });
	const slow = remote.server.update.bind(remote.server);
	remote.server.update = async (...given) => {
		await new Promise((resolve) => setTimeout(resolve, 1000));
		return slow(...given);
	};
	const saving = writing.submit({ published: true });
	await vi.advanceTimersByTimeAsync(500);
	writing.edit(type('Typed meanwhile'));
	await vi.advanceTimersByTimeAsync(600);
	expect((await saving).form).toMatchObject({ title: 'B', published: true, content: '<p>One</p>' });
	expect(writing.state.get().form).toMatchObject({
		published: true,
		content: '<p>Typed meanwhile</p>',
	});
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(remote.post.draft?.form.content).toBe('<p>Typed meanwhile</p>');
});

test('calls go one after another', async () => {
	const { remote, writing } = begin();
	let open = 0;
	let most = 0;
	const draft = remote.server.draft.bind(remote.server);
	remote.server.draft = async (...given) => {
		most = Math.max(most, ++open);
		await new Promise((resolve) => setTimeout(resolve, 5000));
		open--;
		return draft(...given);
	};
	writing.edit(type('A'));
	await vi.advanceTimersByTimeAsync(DELAYS.server + 100);
	writing.edit(type('B'));
	void writing.flush();
	void writing.flush();
	await vi.advanceTimersByTimeAsync(30_000);
	expect(most).toBe(1);
	expect(remote.post.draft?.form.content).toBe('<p>B</p>');
});

test('where the device keeps nothing, leaving is a risk until the server has it', async () => {
	const { remote, local, writing } = begin();
	local.breakDown();
	remote.fail('network');
	writing.edit(type('Two'));
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(writing.atRisk()).toBe(true);
	remote.fail(null);
	await writing.flush();
	expect(writing.atRisk()).toBe(false);
});

test('a copy that was taken over is saved by itself', async () => {
	const { remote, save } = begin(FORM, { ...FORM, ...type('From the device') });
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(remote.post.draft?.form.content).toBe('<p>From the device</p>');
	expect(save()).toBe('saved');
});

test('a copy of a post that the server does not know stays on the device, under this writing’s own key', async () => {
	const { remote, local, writing, save } = begin(
		null,
		{ ...emptyForm, ...type('Found') },
		'new|t0',
	);
	remote.fail('network');
	await vi.advanceTimersByTimeAsync(60_000);
	expect(writing.isDirty()).toBe(true);
	expect(save()).toBe('unreachable');
	expect([...local.copies]).toMatchObject([['new|t1', { form: type('Found') }]]);
	await writing.stop();
	expect(local.copies.size).toBe(1);
});

test('while nobody answers, a copy that was taken over stays on the device', async () => {
	const { remote, local, save } = begin(FORM, { ...FORM, ...type('Found') }, 'p1|t0');
	remote.fail('network');
	await vi.advanceTimersByTimeAsync(60_000);
	expect(save()).toBe('unreachable');
	expect([...local.copies]).toMatchObject([['p1|t1', { form: type('Found') }]]);
});

test('where the device has no room the old copy is not given up', async () => {
	const { remote, local } = begin();
	local.copies.set('p1|t0', { postId: 'p1', form: FORM, at: 0 });
	local.breakDown();
	remote.fail('network');
	startWriting(
		{ post: remote.post, form: { ...FORM, ...type('Found') }, copy: 'p1|t0' },
		{ server: remote.server, device: local.device, session: 't2' },
	);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(local.copies.has('p1|t0')).toBe(true);
});

test('leaving saves a last time and then no more', async () => {
	const { remote, writing } = begin();
	writing.edit(type('Two'));
	await writing.stop();
	expect(remote.post.draft?.form.content).toBe('<p>Two</p>');
	writing.edit(type('Three'));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(remote.calls).toEqual(['draft']);
});

test('a page that is left before the answer to its first words makes no second post', async () => {
	const first = begin(null);
	first.remote.lose(1);
	first.writing.edit({ title: 'Zebra', ...type('One') });
	await vi.advanceTimersByTimeAsync(DELAYS.server);
	expect(first.remote.made).toBe(1);
	const [[key, copy]] = [...first.local.copies] as [[string, LocalCopy]];
	expect(key).toBe('new|t1');

	// The next page finds the copy, and goes on with it.
	const again = startWriting(
		{ post: null, form: { ...copy.form, ...type('One and more') }, copy: key },
		{ server: first.remote.server, device: first.local.device, session: 't1' },
	);
	await again.saveAll();
	expect(first.remote.made).toBe(1);
	expect(workingForm(first.remote.post)).toMatchObject({ title: 'Zebra', ...type('One and more') });
	expect(again.isDirty()).toBe(false);
});

test('a copy whose first words never arrived becomes one post with all of them', async () => {
	const remote = serverOf(null);
	const local = deviceOf();
	const form = { ...emptyForm, title: 'Zebra', ...type('One') };
	local.copies.set('new|t1', { postId: null, form, at: 0 });
	const writing = startWriting(
		{ post: null, form, copy: 'new|t1' },
		{ server: remote.server, device: local.device, session: 't1' },
	);
	await writing.flush();
	await writing.flush();
	expect(remote.made).toBe(1);
	expect(workingForm(remote.post)).toMatchObject({ title: 'Zebra', ...type('One') });
	expect([...local.copies.keys()]).toEqual([]);
});
