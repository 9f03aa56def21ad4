import { getDb } from '#db/client.ts';
import { purge } from '#functions/lib/cache.ts';
import { deliverNow } from '#functions/lib/deliver.ts';
import { on } from '#functions/lib/http.ts';
import { adminEmailOf, sensitive, signedInAdmin } from '#functions/lib/session.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import { getCopyReport } from '#src/core/copies/copies.server.ts';
import { describeCopies, describeUploads, isCopiedNightly } from '#src/core/copies/copies.ts';
import { siteFacts } from '#src/core/settings/facts.ts';
import * as settings from '#src/core/settings/settings.api.ts';
import type { Settings } from '#src/core/settings/setting.ts';
import { changeSettings, getSettings, SHOWN } from '#src/core/settings/settings.server.ts';
import * as api from '#src/core/settings/site.api.ts';
import { getSite, updateSite } from '#src/core/settings/site.server.ts';
import * as finish from '#src/features/setup/finish.api.ts';
import * as setup from '#src/features/setup/setup.api.ts';
import { finishSetup, getSetup, skipSetup } from '#src/features/setup/setup.server.ts';
import { getEnv } from '#src/lib/env.ts';

export const siteRoutes = [
	on(api.getSite, () => getSite(getDb())),
	on(api.updateSite, async (form, request, context) =>
		afterChange(
			['posts', 'categories'],
			context,
			await updateSite(getDb(), form, actorOf(request)),
		),
	),
	on(settings.getSettings, () => getSettings(getDb())),
	on(settings.changeSettings, async (input, request, context) => {
		const changed = await changeSettings(getDb(), input, adminEmailOf(request), new Date());
		// Cached search results depend on them.
		if (input.abbreviations !== undefined) context.waitUntil(purge('posts'));
		if (input.openFigures !== undefined) context.waitUntil(purge('open'));
		const isShown = Object.keys(input).some((key) => SHOWN.has(key as keyof Settings));
		return isShown ? afterChange(['posts', 'categories'], context, changed) : changed;
	}),
	on(setup.getSetup, (_input, request) => getSetup(getDb(), adminEmailOf(request))),
	sensitive(
		on(finish.finishSetup, async (form, request, context) => {
			const saved = await finishSetup(getDb(), form, actorOf(request), signedInAdmin(request));
			context.waitUntil(deliverNow());
			return afterChange(['posts', 'categories', 'states'], context, saved);
		}),
	),
	on(setup.skipSetup, async () => {
		await skipSetup(getDb());
		return { isDue: false as const };
	}),
	on(settings.getFacts, async () => {
		const env = getEnv();
		const facts = siteFacts(env);
		if (env.BACKUP_HOUR === 'off') {
			const value = 'BACKUP_HOUR is off: none is made';
			return [...facts, { name: 'Nightly copies', value, isSet: false }];
		}
		// Elsewhere it is not known whether a server of one machine runs, until it made one.
		const [report, now] = [await getCopyReport(getDb()), new Date()];
		const isKnown = isCopiedNightly(env) || report.last || report.failure;
		if (isKnown) facts.push({ name: 'Nightly copies', ...describeCopies(report, now) });
		if (env.BACKUP_S3_URL || report.uploaded) {
			facts.push({ name: 'Copies elsewhere', ...describeUploads(report, now) });
		}
		return facts;
	}),
];
