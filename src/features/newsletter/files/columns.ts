import { readDate } from './dates.ts';
import { fold, isNothing, saysNo, saysYes, standingOfWord, type Standing } from './words.ts';

export type ImportField =
	| 'email'
	| 'name'
	| 'lastName'
	| 'source'
	| 'active'
	| 'createdAt'
	| 'leftAt'
	| 'consent'
	| 'labels';
/** Column index of each field; -1 for none. */
export type Mapping = Record<ImportField, number>;

/** Names of columns in several languages, the likeliest first. */
const HEADERS: Record<ImportField, string> = {
	email: `email|e mail|email address|e mail address|emailaddress|subscriber email|contact email|primary email|mail
		e mail adresse|email adresse|mailadresse|adresse e mail|adresse email|adresse mail|adresse electronique|courriel
		correo electronico|correo|direccion de correo electronico|direccion de email|direccion de correo|indirizzo email
		indirizzo e mail|endereco de email|endereco de e mail|e mailadres|emailadres|adres e mail|subscriber|address`,
	name: `first name|firstname|fname|given name|vorname|prenom|nombre|nome|voornaam|imie|name|full name|fullname
		display name|nom`,
	lastName: `last name|lastname|lname|surname|family name|nachname|familienname|nom de famille|apellidos|apellido|cognome
		sobrenome|achternaam|nazwisko|nom`,
	source:
		'source|company|origin|signup source|subscription source|utm source|list|quelle|origine|origen|herkunft',
	active: `active|status|state|subscribed|subscription status|subscriber status|email status|subscriber type
		statut|estado|stato|etat|zustand|subscribed to emails|email marketing`,
	createdAt: `optin time|opt in time|created|created at|create date|subscribed at|subscription date|creation date|date|date added
		added time|date subscribed|signup date|sign up date|signed up at|joined|joined at|join date|date joined|subscribed
		confirm time|confirmed at|inserted at|date registered|date created|since|start date|added|added at|angemeldet am|abonniert am|erstellt am
		anmeldedatum|eintragsdatum|date d inscription|date d ajout|cree le|fecha de alta|fecha de suscripcion
		fecha de creacion|data di iscrizione|data iscrizione|data de inscricao|inschrijfdatum|inscrit le`,
	leftAt: `left|left at|unsub time|unsubscribed at|unsubscription date|unsubscribe date|unsubscribed on|unsubscribed
		date unsubscribed|opt out time|opted out at|optout date|clean time|cleaned at|bounced at|deleted at|blocklisted at
		abgemeldet am|abmeldedatum|date de desinscription|date de desabonnement|fecha de baja|data di disiscrizione`,
	consent:
		'consent|permission|opt in|optin|opt in source|optin source|einwilligung|consentement|consentimiento|consenso',
	labels: 'labels|label|tags|tag|etiquettes|etiquetas|etichette|etiketten|schlagworte',
};

const namesOf = (field: ImportField) => HEADERS[field].split(/\s*[|\n]\s*/);

/** Returns the columns of a signup's time, the likeliest first: where one is empty, the next one says it. */
export function sinceColumns(header: readonly string[], { createdAt }: Mapping): number[] {
	const folded = header.map(fold);
	const others = namesOf('createdAt').map((name) => folded.indexOf(name));
	return createdAt === -1 ? [] : [...new Set([createdAt, ...others])].filter((at) => at !== -1);
}

export function guessFields(header: readonly string[]): Mapping {
	const folded = header.map(fold);
	const find = (field: ImportField, taken: number[] = []) =>
		namesOf(field)
			.map((name) => folded.findIndex((one, column) => one === name && !taken.includes(column)))
			.find((column) => column !== -1) ?? -1;
	const name = find('name');
	const createdAt = find('createdAt');
	return {
		...{ email: find('email'), name, lastName: find('lastName', [name]), source: find('source') },
		...{ active: find('active'), createdAt, leftAt: find('leftAt'), consent: find('consent') },
		labels: find('labels'),
	};
}

/**
 * How a column says who gets letters: in words or yes and no, in yes and no the other way round, or by a time; or it may
 * say so, which is asked about: by yes and no or times below a name that is not known, or by one label among others.
 */
export type Role = {
	column: number;
	kind: 'words' | 'inverted' | 'left' | 'maybe' | 'labels';
	not: Standing;
};

/** Columns of other things, although their names hold one of the words below. */
const OTHER =
	/\b(sms|whatsapp|phone|push|count|rate|score|rating|total|number|ip|id|reasons?|title|campaign|url|paid|payment|stripe|active subscription|expiry|opens|clicks|changed|modified|updated)\b|^(plan|complimentary plan|source|tags?|labels?|notes?|lists?|topics|tiers?)$/;
/** Columns of yes and no, or of times, that tell of something else. */
const HARMLESS =
	/\b(last|first|birth\w*|born|opened|clicked|sent|seen|log ?in|order\w*|purchase\w*|donat\w*|customer|vip|staff|admin|moderator|attended|gmtoff|dstoff|leid|euid)\b/;
const SAYS_YES =
	/^(active|aktiv|actif|activo|attivo|ativo|actief|state|etat|enabled|type|durum|stav|tila|tilstand|tillstand|stare|allapot)$|(email|e mail|subscri\w+|member|contact|account|list|marketing|global|newsletter) (state|type)$|\b(status|statut|estado|stato|durumu|trang thai)$|\b(subscribed|opt(ed)? ?in|abonn\w*|inscrit|suscrito|iscritto|inscrito|receives?|email marketing|marketing email(?:s)?|accepts marketing|consent\w*|permission|einwilligung|consenso|e? ?mailable|contactable|reachable|deliverable|can (be )?e? ?mail(ed)?|e ?mail(?:s)? (enabled|allowed)|digests?)\b/;
/** Names in other scripts, alone or in a longer one: of a state, and of having left. */
const inScripts = (names: string) => {
	const folded = names.split('|').map(fold);
	return (name: string) => folded.some((one) => name.includes(one));
};
const isState = inScripts(
	'状態|ステータス|状态|狀態|상태|статус|состояние|стан|κατάσταση|الحالة|حالة|סטטוס|מצב|สถานะ|स्थिति|վիճակ|სტატუსი',
);
const isLeaving = inScripts(
	'配信停止|退会|解除|退订|取消订阅|退訂|取消訂閱|수신거부|수신 거부|구독 취소|탈퇴|отпис|отказ|відпис|διαγραφή|απεγγραφή|إلغاء|לא רשום|הוסר|ยกเลิก|لغو',
);
/** Says why somebody gets none: whatever it says, and nothing of whom it says nothing. */
const REASON = /\breasons?$/;
const SAYS_NO =
	/\bunsub|\bopt(ed)? ?out\b|black ?list|block ?list|\bblocked\b|\bbounced?\b|\bclean(ed)?\b|suppress|\bdisabled\b|complain|\bspam\b|\bjunk\b|desabonn|desinscri|abgemeldet|abmelde|abbestellt|gesperrt|\bcancell?ed\b|\bdeleted\b|\bremoved\b|^left$|^left at$|\bbanned\b|\bde baja\b|disiscri|uitgeschreven|afgemeld|descadastr|\bdo ?not ?((e ?)?mail|contact)|\bdnc\b|\bno ?e? ?mail(?:s)?\b|\bstop (time|date)\b|\bsuspended\b|\bquarantined?\b|withdrew|\binvalid\b|unreachable|undeliverab|avregistrera|avanmal|frameld|avmeld|perunut|\bodhlasen|leiratkoz|dezabon|berhenti|huy dang ky|abonelikten/;
const CONFIRMED =
	/^(is )?(email )?(confirmed|verified|bestatigt|confirme|confirmado|confermato)( email)?$|double opt ?in$/;
/** Says of somebody what others say without "not". */
const NEGATED =
	/\b(un|not|non|in) ?(subscribed|confirmed|verified|active)\b|\bdeactivated\b|\barchived\b|\bpending\b|withdr[ae]wn|\brevoked\b|widerruf/;
/** Words that are used for other things as well. */
const VAGUE = /^(type|newsletters?|mailing ?list|subscribe|subscriptions?)$/;
/** How often somebody gets letters, which may be never. */
const HOW_OFTEN = /\b(frequency|cadence|how often)\b/;
/** Part of the cells by which a column of any name is one of states, and the most different ones that it has. */
const LIKELY = { share: 0.8, words: 10 };

/** Returns the columns that say who gets letters: by their names, by their cells, and those that were chosen for it. */
export function rolesOf(
	header: readonly string[],
	mapping: Mapping,
	cellsOf: (column: number) => string[],
): Role[] {
	const { active, leftAt, createdAt, email, consent, labels } = mapping;
	const mapped = new Set([...Object.values(mapping), ...sinceColumns(header, mapping)]);
	return header.flatMap((label, column): Role[] => {
		const spaced = label.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/[?!*()]+/g, ' ');
		const name = fold(spaced)
			.trim()
			.replace(/^(is|has) /, '');
		const isChosen = column === active || column === leftAt;
		const isReason = REASON.test(name) && SAYS_NO.test(name);
		const all = cellsOf(column);
		if (column === labels || /^(tags?|labels?|lists?|segments?|groups?)$/.test(name))
			return all.some(tellsGone) ? [{ column, kind: 'labels', not: 'left' }] : [];
		if (column === email || (OTHER.test(name) && !isChosen && !isReason)) return [];
		const cells = all.filter((cell) => !isNothing(cell));
		if (cells.length === 0) return [];
		const isConfirmed = CONFIRMED.test(name);
		const not = notOf(name, isConfirmed);
		if (isReason) return [{ column, kind: 'left', not }];
		const areTimes = () =>
			cells.every((cell) => !saysYesOrNo(cell) && typeof readDate(cell) === 'string');
		if (column === leftAt || SAYS_NO.test(name) || NEGATED.test(name) || isLeaving(name)) {
			const isTime = column === leftAt || / (at|on|time|date|am)$|^date /.test(name) || areTimes();
			return [{ column, kind: isTime && !cells.every(saysYesOrNo) ? 'left' : 'inverted', not }];
		}
		const words = { column, kind: 'words', not } as const;
		if (column === active) return areTimes() && column === createdAt ? [] : [words];
		const isNamed = isConfirmed || SAYS_YES.test(name) || isState(name);
		const isVague = VAGUE.test(name) || column === consent;
		if (isNamed && !isVague) return areTimes() ? [] : [words];
		if (isVague)
			return cells.some((cell) => saysYesOrNo(cell) || standingOfWord(cell)) ? [words] : [];
		if (HOW_OFTEN.test(name) && all.some((cell) => NEVER.test(cell))) return [words];
		if (lookLikeStates(cells)) return [words];
		const isKnown = mapped.has(column) || HARMLESS.test(name);
		const hasGaps = cells.length < all.length || cells.some(saysYesOrNo);
		const maySay = cells.every((cell) => saysYesOrNo(cell) || typeof readDate(cell) === 'string');
		return !isKnown && hasGaps && maySay ? [{ column, kind: 'maybe', not }] : [];
	});
}

function lookLikeStates(cells: readonly string[]): boolean {
	const said = cells.map(standingOfWord).filter((one) => one !== undefined);
	return (
		said.length >= cells.length * LIKELY.share &&
		said.some((one) => one !== 'active') &&
		new Set(cells).size <= LIKELY.words
	);
}

const NEVER = /^(never|none|off|no ?e? ?mail(?:s)?)$/i;
/** Whether a cell of labels holds one of those who get no letters. */
const tellsGone = (cell: string) =>
	labelsIn(cell).some(
		(label) =>
			/^(un|not|non|opt|bounce|clean|inactive)/i.test(label) &&
			!['active', undefined].includes(standingOfWord(label)),
	);

const saysYesOrNo = (cell: string) => saysYes(cell) || saysNo(cell);

function notOf(folded: string, isConfirmed: boolean): Standing {
	if (isConfirmed || /\b(un|not|non) ?(confirmed|verified)|\bpending\b/.test(folded))
		return 'unconfirmed';
	if (/bounce|clean|invalid|unreachable|undeliverab/.test(folded)) return 'bounced';
	if (/black ?list|block|suppress|complain|spam|junk|gesperrt|banned/.test(folded))
		return 'blocked';
	return 'left';
}

/** Returns the labels in a cell: `VIP, Beta`, `VIP; Beta`, `"VIP","Beta"`. */
export function labelsIn(cell: string): string[] {
	const labels = cell
		.replace(/^\[|\]$/g, '')
		.split(/[,;|]/)
		.map((label) => label.replaceAll('"', '').trim());
	return [...new Set(labels.filter(Boolean))];
}

/** Returns what is asked about where a cell is not understood: of times, whether there is one. */
export const questionOf = (cell: string, { kind }: Role) =>
	kind === 'maybe' && cell && typeof readDate(cell) === 'string' ? 'a date' : cell;

/** Returns what a cell of such a column says, or undefined where that is not understood. */
export function standingOf(cell: string, { kind, not }: Role): Standing | undefined {
	if (kind === 'maybe') return undefined;
	if (kind === 'labels') return tellsGone(cell) ? undefined : 'active';
	if (kind === 'left') return isNothing(cell) || saysNo(cell) ? 'active' : not;
	const word = standingOfWord(cell);
	if (kind === 'words') return word ?? (saysYes(cell) ? 'active' : saysNo(cell) ? not : undefined);
	if (isNothing(cell) || saysNo(cell)) return 'active';
	if (saysYes(cell) || typeof readDate(cell) === 'string') return not;
	return word;
}

/** Whether a header is that of Mailchimp, whose four files tell their readers apart by the file's name alone. */
export const isMailchimp = (header: readonly string[]) =>
	['leid', 'euid'].every((name) => header.some((one) => fold(one) === name));
