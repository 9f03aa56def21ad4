/** Score below which a password is among the first that are tried. Of 0 to 4. */
const MIN_SCORE = 3;

/** Worth of a password, for a person. */
export type Strength = { score: 0 | 1 | 2 | 3 | 4; label: string; isCommon: boolean };

const LABELS = ['Very weak', 'Weak', 'Weak', 'Good', 'Strong'] as const;

/** Words that strangers try first, besides those of the lists. */
const OWN_WORDS = ['admin', 'administrator', 'website', 'blog', 'newsletter'];

/** Loads the lists of common passwords, which take half a megabyte, when they are first needed. */
let checker: Promise<(password: string, own: string[]) => Strength['score']> | undefined;

async function load() {
	const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
		import('@zxcvbn-ts/core'),
		import('@zxcvbn-ts/language-common'),
	]);
	const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
	return (password: string, own: string[]) => zxcvbn.check(password, own).score;
}

/**
 * Returns how soon a password would be guessed by programs that try the common lists first, then what people make of
 * them. `own` are names that strangers would try as well.
 */
export async function strengthOf(password: string, own: string[] = []): Promise<Strength> {
	checker ??= load();
	const check = await checker.catch((error: unknown) => {
		checker = undefined;
		throw error;
	});
	const names = own.flatMap((name) => [name, name.replace(/[^\p{L}\p{N}]/gu, '')]);
	const score = check(password, [...OWN_WORDS, ...names]);
	return { score, label: LABELS[score], isCommon: score < MIN_SCORE };
}
