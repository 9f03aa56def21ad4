/** Words that most guesses contain. */
const WORDS = [
	...['password', 'passwort', 'passwd', 'secret', 'letmein', 'changeme', 'trustno', 'access'],
	...['admin', 'administrator', 'root', 'user', 'guest', 'login', 'master', 'owner', 'manager'],
	...['welcome', 'hello', 'whatever', 'default', 'temp', 'test', 'testing', 'demo', 'example'],
	...['iloveyou', 'love', 'sunshine', 'princess', 'angel', 'flower', 'baby', 'freedom', 'shadow'],
	...['monkey', 'dragon', 'tiger', 'ninja', 'batman', 'superman', 'pokemon', 'starwars', 'hunter'],
	...['football', 'baseball', 'soccer', 'hockey', 'basketball', 'computer', 'internet', 'google'],
	...['spring', 'summer', 'autumn', 'winter', 'monday', 'friday', 'january', 'october', 'december'],
	...[
		'michael',
		'jordan',
		'charlie',
		'daniel',
		'jessica',
		'ashley',
		'michelle',
		'thomas',
		'robert',
	],
	...['website', 'company', 'blog'],
].sort((one, other) => other.length - one.length);

/** Sequences of keys and characters. Their reverses are added below. */
const SEQUENCES = [
	'abcdefghijklmnopqrstuvwxyz',
	'01234567890',
	'qwertyuiop',
	'qwertzuiop',
	'azertyuiop',
	'asdfghjkl',
	'zxcvbnm',
	'!@#$%^&*()',
	'1q2w3e4r5t6y7u8i9o0p',
	'q1w2e3r4t5y6',
	'1qaz2wsx3edc4rfv5tgb',
	'qazwsxedcrfvtgb',
	'zaq12wsx',
];
const BOTH_WAYS = [...SEQUENCES, ...SEQUENCES.map((row) => [...row].reverse().join(''))];

/** Characters that stand for letters. */
const LETTERS: Record<string, string> = {
	'@': 'a',
	'4': 'a',
	'3': 'e',
	'1': 'i',
	'!': 'i',
	'0': 'o',
	'5': 's',
	$: 's',
	'7': 't',
};

/** Longer passwords are on no list of guesses. */
const MAX_LENGTH = 24;
/** A password with no more than this besides common parts is too weak. */
const MAX_EXTRA_CHARACTERS = 3;

/**
 * Returns whether a password is among the first guesses: a common word, a keyboard sequence or a year, and
 * little else. `own` is a name that strangers would try as well.
 */
export function isCommonPassword(password: string, own = ''): boolean {
	if (password.length > MAX_LENGTH) return false;
	const typed = password.toLowerCase();
	const read = typed.replace(/[@43105$!7]/g, (sign) => LETTERS[sign] ?? sign);
	const name = own.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return [typed, read].some((text) => {
		const rest = name ? text.replaceAll(name, '') : text;
		return stripCommonParts(rest).length <= MAX_EXTRA_CHARACTERS;
	});
}

/** Returns a text without known words, years, sequences and repetitions. */
function stripCommonParts(text: string): string {
	const rest = WORDS.reduce((left, word) => left.replaceAll(word, ''), text);
	const undated = rest.replace(/(19|20)\d\d/g, '').replace(/(.)\1{2,}/g, '');
	let left = '';
	for (let at = 0; at < undated.length;) {
		const run = sequenceLengthAt(undated, at);
		if (run === 0) left += undated[at];
		at += run || 1;
	}
	return left;
}

/** Returns the length of the sequence of three characters or more that begins at `at`, or 0. */
function sequenceLengthAt(text: string, at: number): number {
	let length = 3;
	const isRow = () => BOTH_WAYS.some((row) => row.includes(text.slice(at, at + length)));
	if (at + length > text.length || !isRow()) return 0;
	while (at + length < text.length) {
		length++;
		if (!isRow()) return length - 1;
	}
	return length;
}
