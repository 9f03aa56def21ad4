import { getDb } from '#db/client.ts';
import { deliverNow } from '#functions/lib/deliver.ts';
import { on, ADMIN_BODY_BYTES } from '#functions/lib/http.ts';
import { letterPage } from '#functions/lib/letter-page.ts';
import { adminEmailOf } from '#functions/lib/session.ts';
import { actorOf } from '#functions/lib/writing.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import {
	createLetter,
	listLetters,
	getLetter,
	checkLetter,
	steerLetter,
} from '#src/features/newsletter/letters.server.ts';
import {
	upcomingIssue,
	draftLetter,
	approveIssue,
	getNextIssue,
	nextIssuePage,
	placeInIssue,
	updateNextIssue,
} from '#src/features/newsletter/next-issue.server.ts';
import { prepareWords } from '#src/features/newsletter/words.server.ts';

export const lettersRoutes = [
	on(api.listLetters, async () => ({ letters: await listLetters(getDb(), new Date()) })),
	on(api.createLetter, async (form, request) => {
		const [db, now] = [getDb(), new Date()];
		const words = await prepareWords(db, form.content);
		const issue = await upcomingIssue(db, form.sendAt ? new Date(form.sendAt) : now, now);
		return createLetter(db, form, words, issue, adminEmailOf(request), now);
	}),
	on(api.getLetter, ({ id }) => getLetter(getDb(), id, new Date())),
	on(
		api.checkLetter,
		async (form) => {
			const [db, now] = [getDb(), new Date()];
			const words = await prepareWords(db, form.content);
			const issue = await upcomingIssue(db, form.sendAt ? new Date(form.sendAt) : now, now);
			return checkLetter(db, form, words, issue, now);
		},
		{ status: 200 },
	),
	on(
		api.previewLetter,
		async ({ subject, preview, content, view }, request) => {
			const draft = { subject, preview, ...(await prepareWords(getDb(), content)) };
			return letterPage(draftLetter(draft, adminEmailOf(request), new Date()), view);
		},
		// A frame shows what a form posts to it.
		{ forms: true, maxBody: ADMIN_BODY_BYTES, status: 200 },
	),
	on(api.steerLetter, async ({ id, action }, request, context) => {
		const letter = await steerLetter(getDb(), id, action, adminEmailOf(request), new Date());
		if (action === 'resume') context.waitUntil(deliverNow());
		return letter;
	}),
	on(api.getNextIssue, async ({ page }) => {
		const [db, now] = [getDb(), new Date()];
		const next = await getNextIssue(db, now);
		return page ? { ...next, page: await nextIssuePage(db, now) } : next;
	}),
	on(api.updateNextIssue, async ({ note, ...form }, request) => {
		const words = note === undefined ? undefined : await prepareWords(getDb(), note);
		return updateNextIssue(getDb(), form, words, adminEmailOf(request), new Date());
	}),
	on(api.placeInIssue, ({ id, isIn }, request) =>
		placeInIssue(getDb(), id, isIn, actorOf(request)),
	),
	on(api.approveIssue, (_input, request) =>
		approveIssue(getDb(), undefined, adminEmailOf(request), new Date()),
	),
];
