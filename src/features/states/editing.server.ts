import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { stateRevisions, states, type Figure } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { recordUndoable } from '#src/core/undo/undo.server.ts';
import { getVersion, listVersions, parseStored, storedValue } from '#src/core/versions.server.ts';
import { digest } from '#src/lib/digest.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import type { FigureImport, SavedState, StateRevision } from './editing.api.ts';
import {
	FIELD_NAMES,
	LIST_NAMES,
	STATE_FIELDS,
	fieldsBetween,
	formOf,
	withFigures,
	type EditedState,
	type FigureInput,
	type StateChanges,
	type StateForm,
	type StateRow,
} from './editing.ts';
import { FIGURE_KINDS, computeFrom, figureIn, inOrder, yearOf } from './figures.ts';
import { compareFigures, readFigures } from './import.ts';

/** The admin, and the time. */
type Actor = { actor: string; now: Date };

const columns = getTableColumns(states);
type ColumnName = keyof typeof columns;
/** The columns that a save may change, besides the version. */
const SAVED = [
	...FIELD_NAMES,
	'population',
	'aiJobs',
	'averageSalary',
	'offer',
	'updatedAt',
] as const satisfies ColumnName[];

type Stored = Omit<EditedState, 'updatedAt' | 'offer'> & {
	offer: Partial<StateForm>;
	updatedAt: Date;
};

/** Returns all states as they are stored, by name. Those that no page can be made of are among them. */
async function readStored(db: Db, slug?: string): Promise<Stored[]> {
	const rows = await db
		.select(tolerant(states))
		.from(states)
		.where(slug === undefined ? undefined : eq(states.slug, slug))
		.orderBy(asc(states.name));
	return rows.map((row) => ({ ...row, ...wellFormed(row) }));
}

/** Returns the fields of a row with lists where lists belong, whatever is stored. */
function wellFormed(row: Partial<Record<keyof StateForm, unknown>>): StateForm {
	const form = Object.fromEntries(
		FIELD_NAMES.map((name) => {
			const value = row[name];
			const isList = name === 'figures' || LIST_NAMES.some((one) => one === name);
			if (isList) return [name, Array.isArray(value) ? value : []];
			return [name, name === 'answers' ? (value ?? {}) : typeof value === 'string' ? value : ''];
		}),
	);
	return form as StateForm;
}

/** Returns a state as a newer file has it, or null if that says nothing else. */
function offerOf({ offer, ...state }: Stored): StateForm | null {
	if (Object.keys(offer).length === 0) return null;
	const offered = wellFormed({ ...state, ...offer });
	const whole = { ...offered, figures: withFigures(state.figures, offered.figures) };
	return fieldsBetween(state, whole).length > 0 ? whole : null;
}

function toEdited(state: Stored): EditedState {
	return {
		...formOf(state),
		id: state.id,
		name: state.name,
		slug: state.slug,
		abbreviation: state.abbreviation,
		population: state.population,
		aiJobs: state.aiJobs,
		averageSalary: state.averageSalary,
		offer: offerOf(state),
		version: state.version,
		updatedAt: state.updatedAt.toISOString(),
	};
}

/** Returns what the list shows of all states. */
export async function listEditedStates(db: Db): Promise<StateRow[]> {
	const rows = await readStored(db);
	return rows.map((state) => ({
		slug: state.slug,
		name: state.name,
		abbreviation: state.abbreviation,
		aiJobs: state.aiJobs,
		averageSalary: state.averageSalary,
		years: [...new Set(state.figures.map(yearOf))].sort().reverse(),
		offered: offerOf(state) !== null,
		version: state.version,
		updatedAt: state.updatedAt.toISOString(),
	}));
}

/** Returns a state as the admin edits it, or null. */
export async function getEditedState(db: Db, slug: string): Promise<EditedState | null> {
	const [state] = await readStored(db, slug);
	return state ? toEdited(state) : null;
}

const STALE = 'This was changed elsewhere since you opened it.';

type Update = { [Key in keyof StateChanges]?: StateChanges[Key] | undefined } & {
	version?: number | undefined;
	settled?: boolean | undefined;
};

/** Saves changes; missing fields keep their values. Returns null if there is no such state. */
export async function updateState(
	db: Db,
	slug: string,
	{ version, settled, figures, ...changes }: Update,
	actor: Actor,
): Promise<SavedState | null> {
	const token = crypto.randomUUID();
	const saved = await retryWhenOvertaken(async () => {
		const [before] = await readStored(db, slug);
		if (!before) return null;
		if (version !== undefined && version !== before.version) {
			throw new AppError('conflict', STALE, { stored: toEdited(before) });
		}
		const given = Object.fromEntries(
			Object.entries(changes).filter(([, value]) => value !== undefined),
		);
		const after: Stored = { ...before, ...given, ...(settled && { offer: {} }) };
		if (figures) Object.assign(after, withNumbers(completeFigures(figures, before.figures)));
		const fields = fieldsBetween(before, after).map((name) => STATE_FIELDS[name]);
		if (fields.length === 0 && !(settled && Object.keys(before.offer).length > 0)) return false;
		const detail = `“${before.name}”: ${fields.join(', ') || 'the newer file was left'}`;
		const event = {
			actor: actor.actor,
			action: fields.length > 0 ? 'changed' : 'kept',
			subject: `state ${before.id}`,
			detail,
		};
		await saveStates(db, { token, event, states: [{ before, after }] }, actor.now);
		return true;
	});
	if (saved === null) return null;
	return { ...(await getEditedState(db, slug))!, undo: saved ? token : null };
}

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
		throw new AppError('validation', MESSAGES.validation, { fields });
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

type Save = {
	token: string;
	event: { actor: string; action: string; subject: string; detail: string };
	states: { before: Stored; after: Stored }[];
};

/** Stores states in place of what was read of them, with what takes that back. A trigger keeps the earlier versions. */
async function saveStates(db: Db, { token, event, states: saved }: Save, now: Date): Promise<void> {
	const rows = saved.map(({ before, after }) => {
		const isPublic = fieldsBetween(before, after).length > 0;
		return { id: before.id, before, after: isPublic ? { ...after, updatedAt: now } : after };
	});
	const changed = SAVED.filter((name) =>
		rows.some(({ before, after }) => storedValue(before[name]) !== storedValue(after[name])),
	);
	const isPublic = changed.some((name) => name !== 'offer');
	const pick = (state: Stored) =>
		Object.fromEntries(changed.map((name) => [columns[name].name, storedValue(state[name])]));
	const images = JSON.stringify(
		rows.map(({ id, before, after }) => ({
			key: { id },
			before: pick(before),
			after: pick(after),
		})),
	);
	const versions = JSON.stringify(saved.map(({ before: { id, version } }) => ({ id, version })));
	const set = changed.map((name) => {
		const column = columns[name].name;
		return sql`${sql.identifier(column)} = u.value ->> ${sql.raw(`'$.after.${column}'`)}`;
	});
	await db.batch([
		abortUnless(
			db,
			sql`(select count(*) from states s join json_each(${versions}) u
				on s.id = u.value ->> '$.id' and s.version = u.value ->> '$.version') = ${saved.length}`,
		),
		...recordUndoable(
			db,
			{
				token,
				event,
				changes: [
					{ table: 'states', images: sql`select value as image from json_each(${images})` },
				],
				builds: isPublic,
			},
			now,
		),
		db.run(sql`update states set ${sql.join([sql`version = version + 1`, ...set], sql`, `)}
			from json_each(${images}) u where states.id = u.value ->> '$.key.id'`),
		...(isPublic
			? requestBuild(
					db,
					`${event.action.charAt(0).toUpperCase()}${event.action.slice(1)} ${event.detail.slice(0, 200)}`,
					now,
					[paths.states, ...saved.map(({ before }) => paths.state(before.slug))],
				)
			: []),
	]);
}

/** Returns when earlier versions of a state were saved, newest first, or null if there is no such state. */
export async function listStateRevisions(
	db: Db,
	slug: string,
): Promise<Omit<StateRevision, 'form'>[] | null> {
	const [state] = await readStored(db, slug);
	if (!state) return null;
	return listVersions(db, stateRevisions, eq(stateRevisions.stateId, state.id));
}

/** Returns an earlier version of a state, or null. */
export async function getStateRevision(
	db: Db,
	slug: string,
	version: number,
): Promise<StateRevision | null> {
	const [state] = await readStored(db, slug);
	if (!state) return null;
	const found = await getVersion(db, stateRevisions, eq(stateRevisions.stateId, state.id), version);
	if (!found) return null;
	const stored = Object.fromEntries(
		FIELD_NAMES.map((name) => {
			const { name: column, dataType } = columns[name];
			const value = found.columns[column];
			return [name, dataType === 'json' ? parseStored(value) : value];
		}),
	);
	return { version, savedAt: found.savedAt, form: wellFormed(stored) };
}

/** Imports a table of figures, or answers what it would change. */
export function importFigures(
	db: Db,
	{ csv, preview }: { csv: string; preview?: string | undefined },
	{ actor, now }: Actor,
): Promise<FigureImport> {
	const token = crypto.randomUUID();
	return retryWhenOvertaken(async () => {
		const all = await readStored(db);
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
			action: 'imported',
			subject: 'states',
			detail: `${plural(count, 'figure')} of ${plural(saved.length, 'state')}`,
		};
		await saveStates(db, { token, event, states: saved }, now);
		return {
			...report,
			states: saved.map(({ before: { slug, version } }) => ({ slug, version: version + 1 })),
			undo: token,
		};
	});
}
