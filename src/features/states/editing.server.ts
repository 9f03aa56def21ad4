import { getTableColumns, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { stateRevisions, states, type Figure } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { asIs, changeOfRows } from '#src/core/undo/undo.server.ts';
import { retryWhenOvertaken } from '#src/core/batches.server.ts';
import { commit, recordStore, removeRow, type Row } from '#src/core/records/records.server.ts';
import { digest } from '#src/lib/digest.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import type { FigureImport } from './editing.api.ts';
import {
	STATE,
	withFigures,
	type EditedState,
	type FigureInput,
	type StateForm,
	type StateRow,
	type StateUpdate,
} from './editing.ts';
import { FIGURE_KINDS, computeFrom, figureIn, inOrder, yearOf } from './figures.ts';
import { compareFigures, readFigures } from './import.ts';

type Stored = Row<StateForm> &
	Pick<EditedState, 'name' | 'abbreviation' | 'population' | 'aiJobs' | 'averageSalary'>;

export const stateStore = recordStore<StateForm, Stored, EditedState, StateRow, StateUpdate>({
	noun: 'state',
	kind: STATE,
	table: states,
	revisions: stateRevisions,
	owner: stateRevisions.stateId,
	order: [states.name],
	derived: ['population', 'aiJobs', 'averageSalary'],
	nameOf: ({ name }) => name,
	wordsOf: (labels) => labels.join(', '),
	offered: ({ figures }, offer) => ({ ...offer, figures: withFigures(figures, offer.figures) }),
	edited: ({ name, abbreviation, population, aiJobs, averageSalary }) => ({
		...{ name, abbreviation, population, aiJobs, averageSalary },
	}),
	listed: ({ name, abbreviation, aiJobs, averageSalary, figures }) => ({
		...{ name, abbreviation, aiJobs, averageSalary },
		years: [...new Set(figures.map(yearOf))].sort().reverse(),
	}),
	pathsOf: ({ slug }) => [paths.states, paths.state(slug)],
	complete: (_db, before, { figures, ...given }) => ({
		...before,
		...(given as Partial<StateForm>),
		...(figures && withNumbers(completeFigures(figures, before.figures))),
	}),
});

/** Returns given figures in their order, each with what its kind is called and counted in. */
function completeFigures(given: readonly FigureInput[], stored: readonly Figure[]): Figure[] {
	const fields: Record<string, string> = {};
	const seen: Figure[] = [];
	const complete = given.map(({ key, value, source, link, asOf }, index) => {
		const year = yearOf({ asOf });
		const kind = FIGURE_KINDS.find((one) => one.key === key);
		const like = stored.find((one) => one.key === key);
		const unit = kind?.unit ?? like?.unit ?? 'jobs';
		const label = kind?.labelOf(year) ?? like?.label ?? key;
		if (!kind && !like) fields[`figures.${index}.key`] = 'There is no such figure.';
		if (figureIn(seen, key, year)) {
			fields[`figures.${index}.asOf`] = `“${label}” has another figure of ${year}.`;
		}
		if (['people', 'jobs'].includes(unit) && value !== null && !Number.isInteger(value)) {
			fields[`figures.${index}.value`] = `Use a whole number of ${unit}.`;
		}
		const figure: Figure = { key, label, value, unit, source, ...(link && { link }), asOf };
		seen.push(figure);
		return figure;
	});
	if (Object.keys(fields).length > 0) {
		throw invalid(fields);
	}
	return inOrder(complete);
}

/** Returns figures with the numbers that follow from them. */
function withNumbers(figures: Figure[]) {
	const { population, ...work } = computeFrom(figures);
	if (population === null) {
		const message = 'A state needs the population of a census.';
		throw new AppError('validation', message, { fields: { figures: message } });
	}
	return { figures, population, ...work };
}

/** Takes a guide off the site. Returns null if there is no such state. */
export async function deleteState(
	db: Db,
	slug: string,
	{ actor, now }: Actor,
): Promise<{ slug: string; undo: string } | null> {
	const token = crypto.randomUUID();
	return retryWhenOvertaken(async () => {
		const [state] = await stateStore.read(db, slug);
		if (!state) return null;
		const own = removeRow(db, 'states', getTableColumns(states), state);
		const { id: _, ...columns } = getTableColumns(stateRevisions);
		// They go with it, and come back after it.
		const earlier = changeOfRows(
			'state_revisions',
			asIs('id'),
			asIs(...Object.values(columns).map(({ name }) => name)),
			null,
			sql`from state_revisions where state_id = ${state.id}`,
		);
		await commit(
			db,
			{
				token,
				event: {
					actor,
					action: 'deleted',
					subject: `state ${state.id}`,
					detail: `“${state.name}”`,
				},
				conditions: [own.condition],
				changes: [earlier, ...own.changes],
				statements: [own.statement],
				paths: [paths.states, paths.state(slug)],
			},
			now,
		);
		return { slug, undo: token };
	});
}

/** Imports a table of figures, or answers what it would change. */
export function importFigures(
	db: Db,
	{ csv, preview }: { csv: string; preview?: string | undefined },
	{ actor, now }: Actor,
): Promise<FigureImport> {
	const token = crypto.randomUUID();
	return retryWhenOvertaken(async () => {
		const all = await stateStore.read(db);
		const table = readFigures(csv, all);
		const found = all.flatMap((before) => {
			const given = table.figures.get(before.slug);
			return given ? [{ before, ...compareFigures(before, given) }] : [];
		});
		const changes = found.flatMap((one) => one.changes);
		const touched = found.filter(({ changed }) => changed.length > 0);
		const count = touched.reduce((sum, { changed }) => sum + changed.length, 0);
		const report: FigureImport = {
			changes,
			same: table.rows - count,
			computed: table.computed,
			preview: digest(csv, JSON.stringify(changes)),
			states: [],
			undo: null,
		};
		if (preview === undefined) return report;
		if (preview !== report.preview) {
			const message = 'The stored figures have changed: look at what this import would do now.';
			throw new AppError('conflict', message, { stored: report });
		}
		if (touched.length === 0) return report;
		const saved = touched.map(({ before, changed }) => ({
			before,
			after: { ...before, ...withNumbers(withFigures(before.figures, changed)) },
		}));
		const event = {
			actor,
			action: 'imported' as const,
			subject: 'states',
			detail: `${plural(count, 'figure')} of ${plural(saved.length, 'state')}`,
		};
		await stateStore.save(db, { token, event, rows: saved }, now);
		return {
			...report,
			states: saved.map(({ before: { slug, version } }) => ({ slug, version: version + 1 })),
			undo: token,
		};
	});
}
