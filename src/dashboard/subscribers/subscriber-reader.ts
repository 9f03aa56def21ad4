import {
	guessMapping,
	readSheet,
	readSubscribers,
	type Answers,
	type Reading,
	type RowError,
	type Sheet,
	type StateColumn,
} from '#src/features/newsletter/files/read.ts';
import type { Mapping } from '#src/features/newsletter/files/columns.ts';
import type { ImportRow } from '#src/features/newsletter/subscribers.ts';
import { textOfSheet } from '#src/lib/csv.ts';

export type Opened = { header: string[]; rows: number; mapping: Mapping };
/** A file's contents without its people, who stay with the reader. */
export type Summary = Omit<Reading, 'subscribers' | 'errors' | 'states'> & {
	people: number;
	/** Columns that say who gets letters, with the most frequent of the values that were not understood, and numbers of the others. */
	states: (StateColumn & { others: { values: number; rows: number } })[];
	/** The first of the rows that cannot be taken, and how many there are of each kind. */
	errors: RowError[];
	refused: { message: string; count: number }[];
};

const ERRORS_SHOWN = 50;
const UNKNOWN_SHOWN = 30;

type Question =
	| { file: File }
	| { mapping: Mapping; answers: Answers }
	| { start: number; count: number };

/** Returns what answers the questions to one reader, which keeps its file. */
export function answerReader() {
	let sheet: Sheet = { header: [], rows: [] };
	let name = '';
	let people: ImportRow[] = [];
	return async (question: Question): Promise<Opened | Summary | ImportRow[]> => {
		if ('file' in question) {
			const { file } = question;
			name = file.name;
			sheet = readSheet(textOfSheet(await file.arrayBuffer()));
			const { header, rows } = sheet;
			return { header, rows: rows.length, mapping: guessMapping(header, rows) };
		}
		if ('start' in question) return people.slice(question.start, question.start + question.count);
		const reading = readSubscribers(sheet, question.mapping, question.answers, name);
		people = reading.subscribers;
		return summaryOf(reading);
	};
}

/** Returns what the page needs of a reading. */
function summaryOf({ subscribers, errors, ...reading }: Reading): Summary {
	const kinds = Map.groupBy(errors, ({ message }) => message.replace(/^“.*”/s, '“…”'));
	return {
		...reading,
		states: reading.states.map((state) => {
			const unknown = state.unknown.toSorted((a, b) => b.count - a.count);
			const others = unknown.splice(UNKNOWN_SHOWN);
			const rows = others.reduce((sum, { count }) => sum + count, 0);
			return { ...state, unknown, others: { values: others.length, rows } };
		}),
		people: subscribers.length,
		errors: errors.slice(0, ERRORS_SHOWN),
		refused: [...kinds].map(([message, { length: count }]) => ({ message, count })),
	};
}

/** Reads a file beside the page, which stays alive meanwhile. */
export class SubscriberReader {
	/** Null where there are no workers: then the page itself reads. */
	#worker =
		typeof Worker === 'undefined'
			? null
			: new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' });
	#answer = this.#worker ? null : answerReader();
	/** Questions are answered one after the other. */
	#last: Promise<unknown> = Promise.resolve();

	open = (file: File) => this.#ask<Opened>({ file });
	read = (mapping: Mapping, answers: Answers) => this.#ask<Summary>({ mapping, answers });
	part = (start: number, count: number) => this.#ask<ImportRow[]>({ start, count });
	close = () => this.#worker?.terminate();

	#ask<Answer>(question: Question): Promise<Answer> {
		const asked = this.#last.then(() => this.#post<Answer>(question));
		this.#last = asked.catch(() => {});
		return asked;
	}

	#post<Answer>(question: Question): Promise<Answer> {
		const worker = this.#worker;
		if (!worker) return this.#answer!(question) as Promise<Answer>;
		const done = new AbortController();
		const { signal } = done;
		return new Promise<Answer>((resolve, reject) => {
			const fail = () =>
				reject(new Error('This file cannot be read here. Reload the page and try again.'));
			worker.addEventListener('error', fail, { signal });
			worker.addEventListener(
				'message',
				({ data }: MessageEvent<{ result: Answer } | { error: string }>) =>
					'result' in data ? resolve(data.result) : fail(),
				{ signal },
			);
			worker.postMessage(question);
		}).finally(() => done.abort());
	}
}
