import type { InStatement } from '@libsql/client';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { letters, outbox, posts, subscribers } from '#db/schema.ts';
import { readerLinks, type Writer } from '#src/core/outbox/mail.server.ts';
import { deliver, type Delivery } from '#src/core/outbox/outbox.server.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { tellOfArticles, tellOfMonth } from '#src/features/newsletter/cadence.server.ts';
import { cadenceOf } from '#src/features/newsletter/cadence.ts';
import { digestWriter } from '#src/features/newsletter/issues.server.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import { letterWriter, queueLetters } from '#src/features/newsletter/letters.server.ts';
import { choosePreference } from '#src/features/newsletter/newsletter.server.ts';
import { createIssue } from '#src/features/newsletter/next-issue.server.ts';
import { CADENCES, type Cadence } from '#src/features/newsletter/subscriber.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { getEnv, getSecret, setEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost, makeSubscriber } from '#tests/support/factories.ts';
import { randomBy } from '#tests/support/random.ts';

/** A Monday. */
const START = Date.parse('2026-03-02T00:00:00Z');

type Sent = { to: string; letter: string; at: number; subject: string; text: string };

/** A site whose newsletter is sent by a machine that can be killed before or after any of its writes. */
async function setup() {
	setEnv({ ...getEnv(), DIGEST_TIME_ZONE: 'UTC' });
	vi.setSystemTime(START);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const sent: Sent[] = [];
	const accepted = new Set<string>();
	const send =
		(write: Writer) => async (delivery: Delivery, now: Date, begin: () => Promise<void>) => {
			const email = await write(delivery, now);
			await begin();
			const { recipient, key } = delivery;
			const text = 'text' in email ? email.text : '';
			sent.push({
				to: recipient!,
				letter: key.split(' ')[0]!,
				at: now.getTime(),
				subject: email.subject,
				text,
			});
		};
	const couriers = () => ({ digest: send(digestWriter(db)), letter: send(letterWriter(db)) });
	const machine = killable(db);
	/** Does what the schedule does at a time. With a number of writes, the machine dies there; half of the time after the write. */
	async function tick(time: number, writes = Infinity): Promise<boolean> {
		vi.setSystemTime(time);
		const now = new Date(time);
		machine.liveFor(writes);
		try {
			await createIssue(db, now);
			await tellOfArticles(db, now);
			await tellOfMonth(db, now);
			await queueLetters(db, now);
			await deliver(db, { couriers: couriers(), accepted, now: () => now });
		} catch (error) {
			if (!machine.isDead()) throw error;
		}
		const died = machine.isDead();
		machine.liveFor(Infinity);
		return died;
	}
	return { db, admin, sent, tick };
}

/** Wraps the connection of a database, so that it fails for good at a chosen write, as for a process that was killed. */
function killable({ $client: client }: Db) {
	let left = Infinity;
	let dead = false;
	for (const name of ['execute', 'batch'] as const) {
		const call = client[name].bind(client) as (...values: unknown[]) => Promise<unknown>;
		Object.assign(client, {
			async [name](...values: [InStatement | InStatement[]]) {
				if (dead) throw new Error('killed');
				const texts = [values[0]].flat().map((one) => (typeof one === 'string' ? one : one.sql));
				if (texts.every((text) => /^\s*select\b/i.test(text)) || --left > 0) return call(...values);
				dead = true;
				if (Math.random() < 0.5) await call(...values);
				throw new Error('killed');
			},
		});
	}
	return {
		liveFor(writes: number) {
			left = writes;
			dead = false;
		},
		isDead: () => dead,
	};
}

test(
	'over 60 days with 40 deaths, each letter has exactly its readers, and each reader each article once',
	{ tags: ['nightly'], timeout: 120_000 },
	async () => {
		const { db, admin, sent, tick } = await setup();
		const random = randomBy(52);
		vi.spyOn(Math, 'random').mockImplementation(random);
		vi.spyOn(console, 'error').mockImplementation(() => {});
		const topics = [
			await makeCategory(db, { name: 'Vision' }),
			await makeCategory(db, { name: 'Robotics' }),
		];
		type Person = {
			email: string;
			cadence: Cadence;
			topics: string[];
			active: boolean;
			moves: boolean;
		};
		const people: Person[] = [];
		for (let index = 0; index < 36; index++) {
			const chosen = [[], [topics[0]!.id], [topics[1]!.id], topics.map(({ id }) => id)][index % 4]!;
			const person = {
				email: `p${index}@example.com`,
				cadence: CADENCES[index % 3]!,
				topics: chosen,
				active: true,
				moves: index >= 24,
			};
			const { email, cadence } = person;
			await makeSubscriber(db, { email, cadence, topics: chosen });
			people.push(person);
		}
		await tick(START);
		/** Articles by title, with their topic and time; every day one or two, or none. */
		const articles = new Map<string, { topic: string; at: number }>();
		const own: string[] = [];
		/** The readers as they were before each run. */
		const before = new Map<number, Person[]>();
		let kills = 0;
		for (let hour = 3; hour < 60 * 24; hour += 6) {
			const time = START + hour * HOUR;
			vi.setSystemTime(time);
			if (hour % 24 === 3) {
				for (let count = Math.floor(random() * 3); count > 0; count--) {
					const title = `Piece${articles.size + 1}x`;
					// None is older than the site, whose readers nobody owes what was before.
					const at = time - Math.floor(random() * Math.min(5.9 * HOUR, time - START));
					const { id: topic } = topics[Math.floor(random() * 2)]!;
					articles.set(title, { topic, at });
					await makePost(db, { title, categoryId: topic, publishedAt: new Date(at) });
				}
			}
			// Some change their mind every few days, at any hour.
			if (random() < 0.2) {
				const person = people[24 + Math.floor(random() * 12)]!;
				person.cadence = CADENCES[Math.floor(random() * 3)]!;
				if (person.active && random() < 0.2) {
					person.active = false;
					await choosePreference(db, person.email, 'weekly-leave', new Date(time));
				} else await choosePreference(db, person.email, `often-${person.cadence}`, new Date(time));
			}
			if (hour % (24 * 13) === 33) {
				const id = crypto.randomUUID();
				await call(
					api.createLetter,
					{ id, subject: 'A word', content: '<p>Hello.</p>', confirm: false },
					admin,
				).then(
					() => own.push(id),
					() => {},
				);
			}
			before.set(
				time,
				people.map((person) => ({ ...person })),
			);
			const dies = kills < 40 && random() < 0.9;
			// What the dead one had leased is taken over when its lease is over.
			if (await tick(time, dies ? 1 + Math.floor(random() * random() * 60) : Infinity)) {
				kills++;
				before.set(time + 3 * MINUTE, before.get(time)!);
				await tick(time + 3 * MINUTE);
			}
		}
		expect(kills).toBe(40);
		expect(own.length).toBeGreaterThan(2);

		// Whoever a letter was queued for, by hand.
		const rows = await db.select().from(outbox);
		const all = await db.select().from(letters);
		const counts = { each: 0, weekly: 0, monthly: 0, all: 0 };
		for (const letter of all) {
			const mine = rows.filter(({ key }) => key.startsWith(`${letter.id} `));
			const cadence = cadenceOf(letter.id);
			counts[cadence ?? 'all']++;
			const told = [...articles].filter(([title]) => isTold(letter.id, title));
			const at = Math.min(...mine.map(({ createdAt }) => createdAt.getTime()));
			const expected = before
				.get(at)!
				.filter(
					(person) =>
						person.active &&
						(cadence === null ||
							(person.cadence === cadence &&
								told.some(
									([, { topic }]) => person.topics.length === 0 || person.topics.includes(topic),
								))),
				);
			expect([letter.id, mine.map(({ recipient }) => recipient).sort()]).toEqual([
				letter.id,
				expected.map(({ email }) => email).sort(),
			]);
			expect(letter.recipients).toBe(mine.length);
		}
		function isTold(id: string, title: string) {
			return sent.some(({ letter, text }) => letter === id && text.includes(title));
		}
		expect(counts.weekly).toBe(9);
		expect(counts.monthly).toBe(1);
		expect(counts.each).toBeGreaterThan(25);

		for (const person of people) {
			const mine = sent.filter(({ to }) => to === person.email).sort((a, b) => a.at - b.at);
			// None twice, and never two within a day, save what is late of a letter to all that itself kept the distance.
			expect(new Set(mine.map(({ letter }) => letter)).size).toBe(mine.length);
			for (const [index, { at, letter }] of mine.entries()) {
				const last = mine[index - 1];
				const isOfArticles = [letter, last?.letter ?? ''].some((id) => /^(each|month)-/.test(id));
				if (last && isOfArticles) expect(at - last.at).toBeGreaterThanOrEqual(DAY);
			}
			if (person.moves) continue;
			// Whoever stays with a choice reads each article of their topics once, in time.
			const last = { each: 58 * DAY, weekly: 58 * DAY, monthly: 24 * DAY }[person.cadence];
			for (const [title, { topic, at }] of articles) {
				const isMine = person.topics.length === 0 || person.topics.includes(topic);
				const told = mine.filter(({ text }) => text.includes(title));
				const days = { each: 2, weekly: 9, monthly: 45 }[person.cadence];
				if (!isMine) expect([title, told.length]).toEqual([title, 0]);
				else if (at < START + last) {
					expect([person.email, title, told.length]).toEqual([person.email, title, 1]);
					const late = told[0]!.at - at;
					// One letter a day: where one of the owner's own was due first, the article waits a day more.
					const isBehind = mine.some(
						({ letter, at: sentAt }) => own.includes(letter) && sentAt > at && sentAt < told[0]!.at,
					);
					expect(late).toBeLessThan((days + (isBehind ? 1 : 0)) * DAY);
				}
			}
		}
	},
);

test.each([false, true])(
	'a letter of its own makes articles wait a day, and not those that come after it (confirmed: %s)',
	async (confirm) => {
		const { db, admin, sent, tick } = await setup();
		await makeSubscriber(db, { email: 'ann@example.com', cadence: 'each' });
		await tick(START);
		const articles = new Map<string, number>();
		// Two on days in a row; none within a day of an issue.
		const own = [30, 106, 130].map((hour) => START + hour * HOUR);
		for (let hour = 2; hour < 10 * 24; hour += 4) {
			const time = START + hour * HOUR;
			vi.setSystemTime(time);
			if (hour % 24 === 2) {
				const title = `Piece${articles.size + 1}x`;
				articles.set(title, time - 11 * MINUTE);
				await makePost(db, { title, publishedAt: new Date(time - 11 * MINUTE) });
			}
			if (own.includes(time)) {
				const words = { subject: 'A word', content: '<p>Hello.</p>' };
				await call(api.createLetter, { id: crypto.randomUUID(), ...words, confirm }, admin);
			}
			await tick(time);
		}
		expect(sent.filter(({ subject }) => subject === 'A word')).toHaveLength(own.length);
		for (const [title, at] of articles) {
			if (at > START + 8 * DAY) continue;
			const told = sent.filter(({ text }) => text.includes(title));
			expect([title, told.length]).toEqual([title, 1]);
			const between = own.filter((time) => time > at - DAY && time < told[0]!.at).length;
			expect([title, (told[0]!.at - at) / HOUR < 24 * (1 + between)]).toEqual([title, true]);
		}
	},
);

test('how often is chosen at the signup and behind the link of an email, without JavaScript too, by nobody else', async () => {
	const { db } = await setup();
	const post = (path: string, fields: Record<string, string>) =>
		fetchApi()(path, {
			method: 'POST',
			headers: { Accept: 'text/html' },
			body: new URLSearchParams(fields),
		});
	await post('/api/subscribers', { email: 'ann@example.com', cadence: 'each' });
	const stored = async () => (await db.select().from(subscribers))[0]!;
	expect(await stored()).toMatchObject({ cadence: 'each' });
	// A stranger who types the address changes nothing.
	await post('/api/subscribers', { email: 'ann@example.com', cadence: 'monthly' });
	expect(await stored()).toMatchObject({ cadence: 'each' });
	const refused = await post('/api/subscribers', { email: 'nobody', cadence: 'monthly' });
	expect(await refused.text()).toContain('name="cadence" value="monthly"');
	expect(
		(await post('/api/subscribers', { email: 'bob@example.com', cadence: 'hourly' })).status,
	).toBe(400);
	expect(await db.$count(subscribers)).toBe(1);

	const links = readerLinks({ ...getEnv(), SECRET: getSecret() }, 'weekly', 'ann@example.com');
	const choose = async (choice: string) => (await post(links.preferences, { choice })).text();
	expect(await choose('')).toContain('It comes with each article, one letter a day at most');
	expect(await choose('often-monthly')).toContain('It comes on the first Thursday of the month');
	expect(await choose('often-weekly')).toContain('It comes on Thursdays');
	expect(await stored()).toMatchObject({ cadence: 'weekly' });
});

test('an article that is left out is told to nobody, and what is unpublished within minutes neither', async () => {
	const { db, admin, sent, tick } = await setup();
	await makeSubscriber(db, { email: 'ann@example.com', cadence: 'each' });
	await makeSubscriber(db, { email: 'bob@example.com' });
	await tick(START);
	const at = (minutes: number) => new Date(START + minutes * MINUTE);
	await makePost(db, { title: 'Whole', publishedAt: at(1), excerpt: 'What it shows.' });
	const left = await makePost(db, { title: 'Left out', publishedAt: at(2) });
	const back = await makePost(db, { title: 'Taken back', publishedAt: at(3) });
	await call(api.placeInIssue, { id: left.id, isIn: false }, admin);
	await tick(START + 9 * MINUTE);
	expect(sent).toEqual([]);
	await db.update(posts).set({ published: false }).where(eq(posts.id, back.id));
	for (const minutes of [14, 15, 60]) await tick(START + minutes * MINUTE);
	expect(sent).toMatchObject([{ to: 'ann@example.com', subject: 'Whole' }]);
	expect(sent[0]!.text).toContain('What it shows.');
	expect(await call(api.getNextIssue, {}, admin)).toMatchObject({
		recipients: 1,
		readers: { each: 1, weekly: 1, monthly: 0 },
	});
	const { letters: listed } = await call(api.listLetters, {}, admin);
	expect(listed).toMatchObject([{ cadence: 'each', isIssue: false, state: 'sent', recipients: 1 }]);
});

test('where the letter itself comes once a month, it is the letter of those who want one a month', async () => {
	const { db, admin, sent, tick } = await setup();
	await call(changeSettings, { letterCadence: 'monthly' }, admin);
	await makeSubscriber(db, { email: 'ann@example.com', cadence: 'monthly' });
	await tick(START);
	await makePost(db, { title: 'One', publishedAt: new Date(START + DAY) });
	for (let day = 1; day < 70; day++)
		for (const hour of [9, 11]) await tick(START + day * DAY + hour * HOUR);
	expect(sent.map(({ letter }) => letter)).toEqual(['2026-03-05']);
});
