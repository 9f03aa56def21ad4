import type { CssNode, Selector } from 'css-tree';
import generate from 'css-tree/generator';
import parse from 'css-tree/parser';
import { FigureError } from '#src/core/figures/figure-error.ts';
import { PROPERTIES } from './values.ts';
import type { Shape } from './shape.ts';

/** Comparisons of rules with shapes. The largest sheets of programs need some ten thousand. */
const MAX_STEPS = 1_000_000;

type Test = { type?: string; id?: string; classes: string[] };
/** A selector's parts from the last to the first, each with how it relates to the one before. */
type Rule = {
	tests: { test: Test; isParent: boolean }[];
	weight: number;
	declarations: Declared[];
};
type Declared = { property: string; value: string; important: boolean };

/** Takes a kind of what is left out, in words for the writer. */
type Tell = (what: string) => void;

/**
 * Gives each shape the looks that style sheets and its own style say, as attributes: a drawing in a page may not have style sheets.
 * Rules that need more than names, classes and ids are left out.
 */
export function applyStyles(root: Shape, sheets: string[], tell: Tell): void {
	const rules = sheets.flatMap((sheet) => rulesOf(sheet, tell));
	let steps = 0;
	const visit = (shape: Shape, above: Shape[]) => {
		steps += rules.length;
		if (steps > MAX_STEPS) throw new FigureError('its style sheet is too long');
		const style = shape.attributes.get('style') ?? '';
		shape.attributes.delete('style');
		const matching = rules
			.filter((rule) => matches(rule, shape, above))
			.sort((one, other) => one.weight - other.weight);
		const own = style ? declarationsOf(parseCss(style, 'declarationList')) : [];
		const all = [...matching.flatMap(({ declarations }) => declarations), ...own];
		for (const isLast of [false, true]) {
			for (const { property, value, important } of all) {
				if (important === isLast) setLook(shape, property, value);
			}
		}
		const around = [...above, shape];
		for (const child of shape.children) if (typeof child !== 'string') visit(child, around);
	};
	visit(root, []);
}

/** Properties that are no attributes. */
const STYLES = /^(mix-blend-mode|isolation)$/;
const GEOMETRY = /^(transform|width|height|x|y|cx|cy|r|rx|ry)$/;

/** Gives a shape one look. Shorthands become what they stand for. */
function setLook({ attributes }: Shape, property: string, value: string): void {
	if (property === 'marker') {
		for (const end of ['start', 'mid', 'end']) attributes.set(`marker-${end}`, value);
	} else if (property === 'font') {
		const [, before = '', size, family] =
			/^((?:[a-z]+ |\d00 )*)([\d.]+(?:px|pt|em|rem|%)?)(?:\s*\/\s*\S+)? +(.+)$/i.exec(value) ?? [];
		if (!size || !family) return;
		attributes.set('font-weight', /\b(bold|\d00)\b/i.exec(before)?.[1] ?? 'normal');
		attributes.set('font-style', /italic|oblique/i.test(before) ? 'italic' : 'normal');
		attributes.set('font-size', size);
		attributes.set('font-family', family);
	} else if (STYLES.test(property)) {
		const others = (attributes.get('style') ?? '')
			.split(';')
			.filter((one) => one && !one.startsWith(property));
		if (/^[a-z-]+$/.test(value))
			attributes.set('style', [...others, `${property}:${value}`].join(';'));
	} else if (PROPERTIES.has(property) || GEOMETRY.test(property)) {
		attributes.set(property, value);
	}
}

function parseCss(text: string, context: 'stylesheet' | 'declarationList'): CssNode {
	return parse(text, {
		context,
		parseValue: false,
		parseCustomProperty: false,
		onParseError: () => {},
	});
}

function declarationsOf(list: CssNode): Declared[] {
	if (list.type !== 'DeclarationList' && list.type !== 'Block') return [];
	return list.children.toArray().flatMap((node) =>
		node.type === 'Declaration'
			? [
					{
						property: node.property.toLowerCase(),
						value: generate(node.value)
							.replace(/\/\*.*?\*\//gs, ' ')
							.trim(),
						important: Boolean(node.important),
					},
				]
			: [],
	);
}

const AT_RULES: Record<string, string> = {
	import: 'a style sheet from elsewhere',
	'font-face': 'a font of its own',
	keyframes: 'an animation',
	media: 'looks for some screens only',
};

function rulesOf(sheet: string, tell: Tell): Rule[] {
	const tree = parseCss(sheet.replace(/<!--|-->/g, ''), 'stylesheet');
	if (tree.type !== 'StyleSheet') return [];
	return tree.children.toArray().flatMap((node): Rule[] => {
		if (node.type === 'Atrule') {
			const what = AT_RULES[node.name.replace(/^-\w+-/, '').toLowerCase()];
			if (what) tell(what);
			return [];
		}
		if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') return [];
		const declarations = declarationsOf(node.block);
		return node.prelude.children.toArray().flatMap((selector): Rule[] => {
			const rule = selector.type === 'Selector' ? ruleOf(selector) : null;
			if (rule) return [{ ...rule, declarations }];
			if (declarations.length > 0) tell('a rule of its style sheet');
			return [];
		});
	});
}

function ruleOf(selector: Selector): Omit<Rule, 'declarations'> | null {
	const tests: Rule['tests'] = [{ test: { classes: [] }, isParent: false }];
	let weight = 0;
	for (const part of selector.children.toArray()) {
		const { test } = tests[0]!;
		if (part.type === 'TypeSelector') {
			if (part.name !== '*') test.type = part.name.replace(/^.*\|/, '');
			weight += part.name === '*' ? 0 : 1;
		} else if (part.type === 'ClassSelector') {
			test.classes.push(part.name);
			weight += 1000;
		} else if (part.type === 'IdSelector') {
			test.id = part.name;
			weight += 1_000_000;
		} else if (part.type === 'PseudoClassSelector' && part.name === 'root') {
			test.type = 'svg';
			weight += 1000;
		} else if (part.type === 'Combinator' && (part.name === ' ' || part.name === '>')) {
			tests[0]!.isParent = part.name === '>';
			tests.unshift({ test: { classes: [] }, isParent: false });
		} else return null;
	}
	return { tests, weight };
}

function matches({ tests }: Rule, shape: Shape, above: Shape[]): boolean {
	const [first, ...others] = tests;
	if (!fits(first!.test, shape)) return false;
	let at = above.length - 1;
	for (const { test, isParent } of others) {
		if (isParent) {
			if (at < 0 || !fits(test, above[at]!)) return false;
		} else {
			while (at >= 0 && !fits(test, above[at]!)) at--;
			if (at < 0) return false;
		}
		at--;
	}
	return true;
}

function fits({ type, id, classes }: Test, { name, attributes }: Shape): boolean {
	if (type !== undefined && type !== name) return false;
	if (id !== undefined && attributes.get('id') !== id) return false;
	if (classes.length === 0) return true;
	const own = (attributes.get('class') ?? '').split(/\s+/);
	return classes.every((one) => own.includes(one));
}
