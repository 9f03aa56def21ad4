import * as z from 'zod/mini';
import { contrast } from '#src/lib/contrast.ts';
import { isTimeZone } from '#src/lib/dates.ts';
import { email } from '#src/lib/email.ts';
import { HOME_SECTIONS, OFFERS, type SiteSettings } from '#src/site.ts';
import { TEXT_KEYS, type TextKey, textLabel, textOf } from '#src/texts.ts';
import { isPath, line, links } from './links.ts';
import { cleanLogo } from './logo.ts';

/** The surfaces that an accent color is text on, in each theme. */
const SURFACES = {
	light: ['#ffffff', '#fafaf7', '#f1f1ec'],
	dark: ['#0b1015', '#0f151b', '#121920'],
};
const LEAST_CONTRAST = 4.5;
export type Theme = keyof typeof SURFACES;

/** Returns whether an accent color can be read in a theme, and the sentence about it. */
export function checkAccentContrast(
	color: string,
	theme: Theme,
): { passes: boolean; verdict: string } {
	if (!/^#[0-9a-f]{6}$/i.test(color))
		return { passes: false, verdict: 'Use a color like #0e7490.' };
	const lowest = Math.min(...SURFACES[theme].map((surface) => contrast(color, surface)));
	const ratio = (Math.floor(lowest * 10) / 10).toFixed(1);
	if (lowest >= LEAST_CONTRAST) {
		return { passes: true, verdict: `Contrast ${ratio}:1 in the ${theme} theme, easy to read.` };
	}
	const other = theme === 'light' ? 'darker' : 'lighter';
	return {
		passes: false,
		verdict: `Contrast ${ratio}:1 is too low to read in the ${theme} theme: choose a ${other} color, with 4.5:1 or more.`,
	};
}

/** Returns the color nearest to this one that passes: darker for the light theme, lighter for the dark one. */
export function nearestAccent(color: string, theme: Theme): string | undefined {
	if (!/^#[0-9a-f]{6}$/i.test(color)) return undefined;
	const target = theme === 'light' ? 0 : 255;
	const shares = Array.from({ length: 101 }, (_, step) => step / 100);
	const mixed = shares.map((share) => mixWith(color, target, share));
	return mixed.find((one) => checkAccentContrast(one, theme).passes);
}

function mixWith(color: string, target: number, share: number): string {
	return color.toLowerCase().replace(/[0-9a-f]{2}/g, (part) => {
		const value = Number.parseInt(part, 16);
		return Math.round(value + (target - value) * share)
			.toString(16)
			.padStart(2, '0');
	});
}

/** Returns the color mixed with as much white as it needs to be read in the dark theme. */
export function accentForDark(color: string): string {
	const mixed = (share: number) => mixWith(color, 255, share);
	const shares = Array.from({ length: 21 }, (_, step) => step / 20);
	// With a margin, as the usual color has: the least that passes looks dull.
	const share = shares.find((one) => contrast(mixed(one), SURFACES.dark[2]!) >= 8);
	return /^#[0-9a-f]{6}$/i.test(color) ? mixed(share ?? 1) : color;
}

const accent = (theme: Theme) =>
	z.string('Use a color like #0e7490.').check(
		z.trim(),
		z.toLowerCase(),
		z.refine<string>((color) => checkAccentContrast(color, theme).passes, {
			error: ({ input }) => checkAccentContrast(String(input), theme).verdict,
		}),
	);

const optionalEmail = z.union([z.pipe(z.string().check(z.trim()), z.literal('')), email()], {
	error: 'Please enter a valid email address',
});

/** An SVG with nothing in it but shapes, a picture of the library, or nothing. */
const logo = z.pipe(
	z.string('Use an SVG or a picture of the library.').check(z.trim()),
	z.transform((given, context) => {
		if (given === '' || /^\/api\/media\/[\w-]{1,100}$/.test(given)) return given;
		const cleaned = cleanLogo(given);
		if ('svg' in cleaned) return cleaned.svg;
		context.issues.push({ code: 'custom', message: cleaned.problem, input: given });
		return z.NEVER;
	}),
);

/** Rules of texts of several lines, besides their lengths. */
const RULES = {
	promises: {
		passes: (text: string) => text.split('\n').every((one) => /^[^:\n]*\S[^:\n]*:\s*\S/.test(one)),
		problem: 'Write each promise in a line of its own: a few words, a colon, and a sentence.',
	},
	topics: {
		passes: (text: string) => {
			const topics = text.split('\n');
			const isShort = topics.every((one) => /[\p{L}\p{N}]/u.test(one) && one.length <= 60);
			return isShort && topics.length <= 8 && new Set(topics).size === topics.length;
		},
		problem: 'Write each topic in a line of its own: eight or fewer, of 60 characters or fewer.',
	},
	path: { passes: isPath, problem: 'Use a path like /about.' },
};

function textRule(key: TextKey): z.ZodMiniType<string> {
	const { max, rule } = textOf(key);
	if (!rule) return line(max);
	const { passes, problem } = RULES[rule];
	return z.pipe(
		z.pipe(
			z.string('Use a text.'),
			z.transform((text) =>
				text
					.split('\n')
					.map((one) => one.trim())
					.join('\n')
					.trim(),
			),
		),
		z.string().check(
			z.maxLength(max, `Use ${max} characters or fewer`),
			z.refine((text) => text === '' || passes(text), problem),
		),
	);
}

const timeZone = z.string('Use a text.').check(
	z.trim(),
	z.refine((zone) => zone === '' || isTimeZone(zone), 'There is no time zone of this name.'),
);

export const siteForm = z.object({
	name: line(60, 'Please enter a name.'),
	tagline: line(120, 'Please enter a tagline.'),
	description: line(300),
	newsletter: line(60),
	author: line(100),
	publisher: line(100),
	operator: line(300),
	logo,
	accent: accent('light'),
	accentDark: accent('dark'),
	contactEmail: optionalEmail,
	privacyEmail: optionalEmail,
	senderEmail: optionalEmail,
	timeZone,
	...(Object.fromEntries(TEXT_KEYS.map((key) => [key, textRule(key)])) as Record<
		TextKey,
		z.ZodMiniType<string>
	>),
	asksReaders: z.enum(['off', 'on'], 'Choose on or off'),
	offered: z.array(z.enum(OFFERS, 'There is no such offer.'), { error: 'Give a list of offers.' }),
	navigation: links,
	footerLinks: links,
	socialLinks: links,
	sections: z
		.array(z.enum(HOME_SECTIONS, 'There is no such section.'), {
			error: 'Give a list of sections.',
		})
		.check(
			z.refine((given) => new Set(given).size === given.length, 'List each section only once.'),
		),
	inventedProof: z.enum(['on', 'off'], 'Choose on or off'),
	content: z.enum(['sample', 'own'], 'Choose one of the two'),
}) satisfies z.ZodMiniType<SiteSettings>;

/** The settings with the number of their saves, for a form that others may have overtaken. */
export type StoredSite = SiteSettings & { version: number };

/** Field names as the desk shows them, in its order. */
export const SITE_LABELS: Record<keyof SiteSettings, string> = {
	name: 'Name',
	tagline: 'Tagline',
	description: 'Description',
	newsletter: 'Name of the letter',
	author: 'Author',
	publisher: 'Publisher',
	operator: 'Operator',
	logo: 'Logo',
	accent: 'Accent color, light theme',
	accentDark: 'Accent color, dark theme',
	contactEmail: 'Address for readers',
	privacyEmail: 'Address for privacy',
	senderEmail: 'Sender of mail',
	timeZone: 'Time zone',
	...(Object.fromEntries(TEXT_KEYS.map((key) => [key, textLabel(key)])) as Record<TextKey, string>),
	asksReaders: 'Articles: question to readers',
	offered: 'Offered by email',
	navigation: 'Navigation',
	footerLinks: 'Quick links',
	socialLinks: 'Elsewhere',
	sections: 'Home page',
	inventedProof: 'Invented proof',
	content: 'Content',
};
