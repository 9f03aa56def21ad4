/**
 * What password managers, writing helpers, translators and blockers do to a page. Each runs in the page, below
 * one element, and holds nothing from outside.
 */
export const CHANGES: Record<string, (root: Element) => void> = {
	'a password manager’s icon before each field': (root) => {
		for (const field of root.querySelectorAll('input:not([type=hidden]), textarea')) {
			const icon = document.createElement('div');
			icon.dataset['lastpassIconRoot'] = '';
			icon.style.cssText = 'position:relative!important;height:0;width:0;float:left';
			field.before(icon);
		}
	},
	'each field wrapped': (root) => {
		for (const field of root.querySelectorAll('input:not([type=hidden]), textarea, select')) {
			const wrapper = document.createElement('span');
			field.replaceWith(wrapper);
			wrapper.append(field);
		}
	},
	'a writing helper after each field': (root) => {
		for (const field of root.querySelectorAll('input, textarea')) {
			field.setAttribute('data-gramm', 'true');
			field.setAttribute('spellcheck', 'false');
			const helper = document.createElement('grammarly-extension');
			helper.style.position = 'absolute';
			field.after(helper);
		}
	},
	'a translation of each text': (root) => {
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		const texts: Text[] = [];
		while (walker.nextNode()) texts.push(walker.currentNode as Text);
		for (const text of texts) {
			if (!text.data.trim() || text.parentElement?.closest('script, style, option, textarea'))
				continue;
			const outer = document.createElement('font');
			const inner = document.createElement('font');
			inner.textContent = `¿${text.data}?`;
			outer.append(inner);
			text.replaceWith(outer);
		}
	},
	'hints and hidden parts removed': (root) => {
		for (const part of root.querySelectorAll('.trap, .field-hint, [hidden], p')) part.remove();
	},
	'other letters in texts': (root) => {
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const text = walker.currentNode as Text;
			if (text.parentElement?.closest('script, style') === null)
				text.data = text.data.replace(/e/g, 'é');
		}
	},
	'attributes, ids and classes': (root) => {
		for (const [index, field] of root
			.querySelectorAll('input, textarea, select, button')
			.entries()) {
			field.setAttribute('fdprocessedid', `x${index}`);
			field.setAttribute('data-dashlane-rid', `d${index}`);
			field.setAttribute('style', 'outline: 1px solid transparent');
			field.classList.add('kpxc-field');
		}
	},
	'comments and templates in between': (root) => {
		for (const part of root.querySelectorAll('form, label, button')) {
			part.prepend(document.createComment('inserted'), document.createElement('template'));
			part.setAttribute('data-darkreader-inline-color', '');
		}
	},
};

/** A form of the site, and what a person gives it. */
export type Asked = {
	path: string;
	/** The path that it is sent to, which finds it too. */
	sends: string;
	/** What has to be opened to see it. */
	opens?: string;
	fields: Record<string, string>;
	/** Boxes to check and options to choose. */
	choices?: Record<string, string>;
	/** Newer comments than the page has come when the pointer is under way to the form. */
	late?: true;
};

const ARTICLE = '/blog/gradient-descent-narrow-valley';

export const FORMS: Record<string, Asked> = {
	home: { path: '/', sends: '/api/subscribers', fields: { email: 'reader@example.com' } },
	newsletter: {
		path: '/newsletter',
		sends: '/api/subscribers',
		opens: 'form summary',
		fields: { email: 'reader@example.com' },
		choices: { topics: 'second' },
	},
	course: {
		path: '/newsletter',
		sends: '/api/email-course/enroll',
		fields: { email: 'reader@example.com' },
	},
	contact: {
		path: '/contact',
		sends: '/api/contact',
		fields: { name: 'Ann Reader', email: 'reader@example.com', message: 'Two lines, ‘quoted’. 12' },
		choices: { topic: 'last' },
	},
	download: {
		path: ARTICLE,
		sends: '/api/content-upgrade',
		opens: '[aria-label=Downloads] summary',
		fields: { email: 'reader@example.com' },
		choices: { upgradeType: 'last' },
	},
	comments: {
		path: ARTICLE,
		sends: '/api/comments',
		fields: {
			author: 'Ann Reader',
			email: 'reader@example.com',
			content: 'A thought of mine, 12.',
		},
		choices: { notify: 'first' },
		late: true,
	},
	'personal data': {
		path: '/privacy',
		sends: '/api/personal-data',
		fields: { email: 'reader@example.com' },
	},
};

/** What a browser can do, by whatever protocol. */
export type Driver = {
	/** Goes to a path of the site, or to an address. */
	open: (path: string) => Promise<void>;
	/** Runs an expression in the page and returns its JSON. */
	run: (expression: string) => Promise<unknown>;
	/** Presses the middle of the first element with a real pointer. */
	press: (selector: string) => Promise<void>;
	/** Types with real keys at the speed of a person. */
	type: (text: string) => Promise<void>;
};

/** Milliseconds between two keys of somebody who types fast. */
export const KEY_MS = 40;

/** Runs a function with plain arguments in the page. */
export async function inPage<In extends unknown[], Out>(
	driver: Driver,
	work: (...args: In) => Out,
	...args: In
): Promise<Awaited<Out>> {
	const texts = args.map((arg) => JSON.stringify(arg));
	return (await driver.run(`(${String(work)})(${texts.join(', ')})`)) as Awaited<Out>;
}

/** Applies a change below the island of what `selector` finds. Returns whether the island was still asleep. */
export async function change(driver: Driver, name: string, selector: string): Promise<boolean> {
	const asleep = await inPage(
		driver,
		(found) => document.querySelector(found)!.closest('astro-island')!.hasAttribute('ssr'),
		selector,
	);
	await driver.run(
		`(${String(CHANGES[name])})(document.querySelector(${JSON.stringify(selector)}).closest('astro-island'))`,
	);
	return asleep;
}

export type Outcome = {
	asleep: boolean;
	/** Where the focus was after the last key: the name of a field, or of an element. */
	focused: string;
	/** What was in the form before it was sent. */
	held: Record<string, string>;
	/** What was sent; null if nothing was. */
	sent: Record<string, unknown> | null;
	/** What the form said of the (made up) refusal. */
	said: boolean;
};

/**
 * Opens the page of a form, changes it, fills it in and sends it. Nothing reaches the server: the page itself
 * refuses what is sent.
 */
export async function fillIn(
	driver: Driver,
	{ path, sends, opens, fields, choices = {}, late }: Asked,
	changed: string | null,
	way: 'typed' | 'autofilled',
): Promise<Outcome> {
	const form = `form[action="${sends}"]`;
	await driver.open(path);
	await inPage(
		driver,
		(address, isLate) => {
			// A draft of the trial before, and the modal that comes once, are not what is tried.
			sessionStorage.clear();
			sessionStorage.setItem('newsletter_modal_shown', 'true');
			const fetch = window.fetch.bind(window);
			window.fetch = async (input, init) => {
				const url = input instanceof Request ? input.url : String(input);
				const { pathname } = new URL(url, location.href);
				if (isLate && pathname.endsWith('/comments') && !init?.body) {
					const answer = await fetch(input, init);
					const known = (await answer.json()) as object[];
					await new Promise((go) => addEventListener('pointermove', go, { once: true }));
					const newer = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({
						id,
						author: 'Ada',
						content: 'It came while the page was open.',
						createdAt: new Date().toISOString(),
						parentId: null,
						byOwner: false,
						pinned: false,
						editedAt: null,
					}));
					return Response.json([...newer, ...known]);
				}
				if (pathname !== address || !init?.body) return fetch(input, init);
				document.documentElement.dataset['sent'] = String(init.body as string);
				const refusal = { error: { code: 'conflict', message: 'Refused for a trial.' } };
				return Response.json(refusal, { status: 409 });
			};
		},
		sends,
		late ?? false,
	);
	const asleep = changed === null || (await change(driver, changed, form));
	if (opens) await driver.press(opens);
	for (const [name, value] of Object.entries(fields)) {
		const field = `${form} [name=${name}]`;
		if (way === 'typed') {
			await driver.press(field);
			await driver.type(value);
		} else
			await inPage(
				driver,
				(selector, text) => {
					// Without a press, a key or the focus, as password managers do.
					const control = document.querySelector(selector)!;
					Reflect.set(Object.getPrototypeOf(control) as object, 'value', text, control);
					control.dispatchEvent(new Event('input', { bubbles: true }));
					control.dispatchEvent(new Event('change', { bubbles: true }));
				},
				field,
				value,
			);
	}
	const focused = await inPage(driver, () => {
		const { activeElement } = document;
		return activeElement!.getAttribute('name') ?? activeElement!.localName;
	});
	for (const [name, which] of Object.entries(choices)) {
		const controls = `${form} [name=${name}]`;
		const isBox = await inPage(
			driver,
			(selector) => document.querySelector(selector) instanceof HTMLInputElement,
			controls,
		);
		if (isBox) {
			const value = await inPage(
				driver,
				(selector, place) =>
					[...document.querySelectorAll<HTMLInputElement>(selector)][place === 'second' ? 1 : 0]!
						.value,
				controls,
				which,
			);
			await driver.press(`${controls}[value="${value}"]`);
		} else
			await inPage(
				driver,
				(selector) => {
					const list = document.querySelector<HTMLSelectElement>(selector)!;
					list.selectedIndex = list.length - 1;
					list.dispatchEvent(new Event('input', { bubbles: true }));
					list.dispatchEvent(new Event('change', { bubbles: true }));
				},
				controls,
			);
	}
	const read = (selector: string) => {
		const data = new FormData(document.querySelector<HTMLFormElement>(selector)!);
		return Object.fromEntries([...data].map(([name, value]) => [name, value as string]));
	};
	const held = await inPage(driver, read, form);
	await driver.press(`${form} [type=submit]`);
	const after = await inPage(
		driver,
		async (selector) => {
			const { dataset } = document.documentElement;
			const isSaid = () =>
				document.querySelector(selector)?.textContent.includes('Refused for a trial.') ?? false;
			// The site itself waits until a form has been open for two seconds.
			for (const end = Date.now() + 8000; Date.now() < end && !isSaid();)
				await new Promise((resolve) => setTimeout(resolve, 50));
			return { sent: dataset['sent'] ?? null, said: isSaid() };
		},
		form,
	);
	const sent = after.sent === null ? null : (JSON.parse(after.sent) as Record<string, unknown>);
	return { asleep, focused, held, sent, said: after.said };
}

/** Returns what was lost between a person and what was sent, one line for each field. */
export function lossesOf({ fields, choices = {} }: Asked, outcome: Outcome): string[] {
	const typed = Object.entries(fields).flatMap(([name, value]) =>
		[outcome.held[name], outcome.sent?.[name]].some((kept) => kept !== value)
			? [`${name}: “${outcome.held[name]}” held, “${String(outcome.sent?.[name])}” sent`]
			: [],
	);
	const chosen = Object.keys(choices).flatMap((name) =>
		outcome.held[name] && String(outcome.sent?.[name]) === outcome.held[name]
			? []
			: [`${name}: “${outcome.held[name]}” chosen, “${String(outcome.sent?.[name])}” sent`],
	);
	return [...typed, ...chosen, ...(outcome.said ? [] : ['the refusal was not said'])];
}
