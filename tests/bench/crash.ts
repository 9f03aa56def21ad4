import { crash } from '#tests/support/crash.ts';
import { printTable } from './table.ts';

const MAILS = 2000;
const KILLS = 60;

/** Sends emails while workers are killed, and prints how many recipients got none, one and two. */
export async function benchCrash(): Promise<void> {
	const { kills, refused, dropped, seconds, recipients, strangers, open } = await crash({
		count: MAILS,
		kills: KILLS,
	});
	printTable(
		['emails to one recipient', 'recipients'],
		Object.entries(recipients).map(([emails, count]) => [emails, String(count)]),
	);
	console.log(
		`${MAILS} emails, ${kills} workers killed, ${refused} recipients refused for now and ${dropped} connections cut by the server, in ${seconds.toFixed(0)} seconds.`,
	);
	console.log(`${open} emails are still open. ${strangers} doubles have another Message-ID.`);
}
