import { ACTIONS, PYTHON_MB, say, type Action } from './block.ts';

const LABELS: Record<Action, string> = { run: 'Run', edit: 'Edit', reset: 'Reset' };

/** Gives the blocks of a text that are marked so their buttons. What is behind them is loaded by the first click. */
export function offerRuns(text: ParentNode): void {
	const blocks = text.querySelectorAll<HTMLElement>('figure[data-run]:not(:has(.run-bar))');
	for (const block of blocks) {
		const page = block.ownerDocument;
		const bar = page.createElement('div');
		bar.className = 'run-bar no-print';
		bar.dataset['live'] = '';
		if (block.dataset['run'] === 'python') {
			const size = page.createElement('span');
			size.className = 'run-size';
			size.textContent = `loads ${PYTHON_MB} MB`;
			bar.append(size);
		}
		for (const action of ACTIONS) {
			const button = page.createElement('button');
			button.type = 'button';
			button.dataset['action'] = action;
			button.textContent = LABELS[action];
			button.addEventListener('click', () => {
				loadStyles(page);
				void import('./blocks.ts').then(
					({ act }) => act(block, action),
					() => (say(block).textContent = 'This could not be loaded. Please try again.'),
				);
			});
			bar.append(button);
		}
		const result = page.createElement('div');
		result.className = 'run-result no-print';
		result.setAttribute('role', 'status');
		result.dataset['live'] = '';
		block.append(bar, result);
	}
}

function loadStyles(page: Document): void {
	if (page.querySelector('link[href="/runs.css"]')) return;
	const link = page.createElement('link');
	link.rel = 'stylesheet';
	link.href = '/runs.css';
	page.head.append(link);
}
