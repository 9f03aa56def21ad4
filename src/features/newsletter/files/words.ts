/** Standings of people in a file: gets letters, or why not. */
export const STANDINGS = ['active', 'left', 'bounced', 'blocked', 'unconfirmed'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Returns a text as its words are compared: lower case, without accents, signs as spaces. */
export const fold = (text: string): string =>
	text
		.normalize('NFKD')
		.replaceAll(/\p{M}/gu, '')
		.toLowerCase()
		.replaceAll(/[\s_./:-]+/g, ' ')
		.trim();

const words = (text: string) =>
	new Set(
		text
			.trim()
			.split(/\s*[|\n]\s*/)
			.map(fold),
	);

const YES =
	words(`true|yes|y|1|on|ja|oui|si|sim|tak|vrai|wahr|verdadero|verdadeiro|vero|x|ano|áno|igen|da|kyllä|evet|ya
	ναι|да|так|はい|是|예|네|כן|نعم|بله|ใช่|có|हाँ`);
const NO =
	words(`false|no|n|0|off|nein|non|nao|nee|nie|faux|falsch|falso|nej|nei|ne|nem|nu|ei|hayır|tidak|οχι|нет|ні
	いいえ|否|아니오|아니요|לא|لا|خیر|ไม่|ไม่ใช่|không|नहीं`);

/** Words of Mailchimp, Ghost, Substack, listmonk, Buttondown, Kit, MailerLite, Keila, Beehiiv, Brevo and others. */
const WORDS: Record<Standing, ReadonlySet<string>> = {
	active:
		words(`active|subscribed|confirmed|enabled|opted in|opt in|optin|subscriber|regular|premium|gifted|trialed
		unpaid|churning|past due|aktiv|abonniert|angemeldet|bestatigt|eingetragen
		actif|actifs|abonne|inscrit|confirme|activo|suscrito|suscripto|confirmado|attivo|iscritto|confermato
		ativo|inscrito|actief|ingeschreven|geabonneerd|aangemeld|aktywny|zapisany`),
	left: words(`inactive|unsubscribed|unsubscribe|unsubscriber|left|cancelled|canceled|removed|disabled|deleted|archived
		opted out|opt out|optout|deactivated|inaktiv|abgemeldet|abbestellt|ausgetragen|gekundigt|deaktiviert|geloscht
		inactif|desabonne|desinscrit|resilie|supprime|inactivo|cancelado|dado de baja|baja|desuscrito|eliminado
		inattivo|disiscritto|cancellato|eliminato|inativo|descadastrado|inactief|uitgeschreven|afgemeld|wypisany`),
	bounced:
		words(`bounced|bounce|hard bounce|hard bounced|soft bounce|soft bounced|cleaned|undeliverable|unreachable|invalid
		undelivered|mailbox full|bereinigt|unzustellbar|ungultig|nettoye|rebond|invalide|rebotado|limpiado
		rimbalzato|pulito|devolvido|limpo|bounce definitivo`),
	blocked:
		words(`blocklisted|blacklisted|blocked|banned|suppressed|complained|complaint|spam|spam complaint|marked as spam
		junk|abuse|spammy|malicious|gesperrt|blockiert|bloque|plainte|bloqueado|bloccato|geblokkeerd`),
	unconfirmed:
		words(`unconfirmed|not confirmed|pending|unactivated|unverified|nonsubscribed|non subscribed|not subscribed
		never subscribed|transactional|validating|needs attention|needs confirmation|awaiting confirmation|upcoming
		needs approval|unbestatigt|nicht bestatigt|ausstehend|nicht abonniert|non confirme|en attente|non abonne
		non inscrit|no confirmado|pendiente|no suscrito|non confermato|in attesa|non iscritto|nao confirmado|pendente
		nao inscrito|niet bevestigd|in afwachting`),
};

/** Returns what a word says in a column of states, or undefined. */
export function standingOfWord(value: string): Standing | undefined {
	const word = fold(value);
	return STANDINGS.find((standing) => WORDS[standing].has(word));
}

export const saysYes = (value: string) => YES.has(fold(value));
export const saysNo = (value: string) => NO.has(fold(value));
/** Whether a cell of a column of times or flags holds nothing. */
export const isNothing = (value: string) =>
	/^(?:[-–—]|n\/?a|null|none|nil|0000-00-00.*)?$/i.test(value);

/** Whichever weighs most: what a service did, before what a reader did. */
const WEIGHT: readonly Standing[] = ['blocked', 'bounced', 'left', 'unconfirmed'];
export const worstOf = (said: readonly Standing[]): Standing =>
	WEIGHT.find((standing) => said.includes(standing)) ?? 'active';

const NAMES: [RegExp, Standing][] = [
	[/\b(?:non|not|never) ?subscri|\bunconfirmed|\bpending|\bunactivated/, 'unconfirmed'],
	[/\bcleaned|\bbounce[sd]?\b|\bundeliverable|\binvalid/, 'bounced'],
	[/\bblock ?list|\bblack ?list|\bblocked|\bsuppress|\bcomplain|\bjunk\b|\bspam\b/, 'blocked'],
	[
		/\bunsub|\bopt(?:ed)? ?out|\binactive|\bcancell?ed|\bdesabonn|\babgemeldet|\babbestell|\bdesinscri/,
		'left',
	],
	[/\bsubscribed\b|\bactive\b|\bconfirmed\b/, 'active'],
];

/** Returns what the name of a file says of everybody in it, such as Mailchimp's `unsubscribed_members_export_….csv`. */
export function standingOfFile(name: string): Standing | undefined {
	const known = fold(name);
	return NAMES.find(([words]) => words.test(known))?.[1];
}
