import { crash } from '#tests/support/crash.ts';
import { printTable } from './table.ts';

const MAILS = 2000;
const KILLS = 60;

/** Sends emails while workers are killed, and prints how many recipients got none, one and two. */
export async function benchCrash(): Promise<void> {
	const { kills, refused, dropped, seconds, recipients, strangers, open } = await crash({
		mails: MAILS,
		kills: KILLS,
	});
	printTable(
		['mails to one recipient', 'recipients'],
		Object.entries(recipients).map(([mails, count]) => [mails, String(count)]),
	);
	console.log(
		`${MAILS} mails, ${kills} workers killed, ${refused} recipients refused for now and ${dropped} connections cut by the server, in ${seconds.toFixed(0)} seconds.`,
	);
	console.log(`${open} mails are still open. ${strangers} doubles have another Message-ID.`);
}
