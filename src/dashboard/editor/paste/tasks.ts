import type { Element, Root } from 'hast';
import { EXIT, SKIP, visit } from 'unist-util-visit';
import { classesOf } from './style.ts';
import { element } from './tree.ts';

/** Items with a box to tick as an article has them: in lists of their own, however a program writes them. */
export function convertTasks(tree: Root): void {
	visit(tree, 'element', (list, index, parent) => {
		if (list.tagName !== 'ul' || !parent || index === undefined) return undefined;
		const items = list.children.filter((child) => child.type === 'element');
		if (!items.some((item) => item.tagName === 'li')) return undefined;
		for (const { children } of items) convertTasks({ type: 'root', children });
		const checks = new Map(items.map((item) => [item, removeCheckbox(item)]));
		for (const [item, checked] of checks) {
			if (checked === null) continue;
			const properties = { type: 'checkbox', checked };
			item.properties = { className: ['task-list-item'] };
			item.children.unshift({ ...element('input', []), properties });
		}
		const groups: Element[] = [];
		for (const item of items) {
			const isTask = checks.get(item) !== null;
			const last = groups.at(-1);
			if (last && (last.properties.className !== undefined) === isTask) last.children.push(item);
			else
				groups.push({
					...element('ul', [item]),
					properties: isTask ? { className: ['contains-task-list'] } : {},
				});
		}
		parent.children.splice(index, 1, ...groups);
		return [SKIP, index + groups.length];
	});
}

/** Takes the box to tick off an item: whether it is ticked, or null where there is none. */
function removeCheckbox(item: Element): boolean | null {
	let checked: boolean | null = null;
	visit(item, (node, index, parent) => {
		if (!parent || index === undefined) return undefined;
		if (node.type === 'text') {
			if (node.value.trim() === '') return undefined;
			const written = /^\s*\[([ xX])\]\s+/.exec(node.value);
			if (written) {
				checked = written[1] !== ' ';
				node.value = node.value.slice(written[0].length);
			}
			return EXIT;
		}
		if (node.type !== 'element') return undefined;
		if (/^[uo]l$/.test(node.tagName)) return EXIT;
		const isInput = node.tagName === 'input' && node.properties.type === 'checkbox';
		const isSign = classesOf(node).includes('checkbox');
		if (!isInput && !isSign) return undefined;
		checked = isInput ? node.properties.checked === true : classesOf(node).includes('checkbox-on');
		parent.children.splice(index, 1);
		return EXIT;
	});
	return checked;
}
