import { useRef, useState } from 'react';
import { Button, CloseButton } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { DEFAULT_ABBREVIATIONS, lineProblem } from '#src/core/settings/abbreviations.ts';
import { useSettings, useTyped } from './useSettings.tsx';

/** The desk's list of what search takes for the same. */
export function AbbreviationsForm() {
	const { stored, error, reload, save, choice } = useSettings();
	return (
		<>
			<h2>Words that search knows</h2>
			<p>Whoever searches for a word of a row finds what has the others as well.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!stored && error === undefined && <Skeleton label="Loading words" rows={3} />}
			{choice}
			{stored && <Rows stored={stored} save={save} />}
		</>
	);
}

const KINDS = [
	{ sign: '=', name: 'Names for the same thing', others: 'Other names' },
	{ sign: '>', name: 'Also looks for', others: 'Related words, with less weight' },
] as const;
/** How many rows of a kind are shown to who looks for none. */
const SHOWN = 10;

/** Returns the word of a line and the others, as they are typed. */
function sidesOf(line: string, sign: string): [word: string, others: string] {
	const at = line.indexOf(sign);
	return [line.slice(0, at).replace(/ $/, ''), line.slice(at + 1).replace(/^ /, '')];
}
const cleaned = (typed: string) => typed.replace(/^#+|[=>\n]/g, '');

function Rows({ stored, save }: Pick<Parameters<typeof useTyped>[0], 'stored' | 'save'>) {
	const { text, type, busy, error, submit, note } = useTyped({
		...{ stored, save, name: 'abbreviations' as const },
		textOf: ({ abbreviations }) => abbreviations,
		changeOf: (abbreviations) => ({ abbreviations }),
		done: 'Search knows them from now on.',
	});
	const [search, setSearch] = useState<{ q: string; lines: number[] }>();
	const [all, setAll] = useState<string[]>([]);
	/** Rows say what is wrong with them once they were to be saved. */
	const [isTried, setTried] = useState(false);
	const form = useRef<HTMLFormElement>(null);
	const lines = text.split('\n');
	const focus = (selector: string) =>
		requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(selector)?.focus());

	function find(q: string) {
		// Stays as it is while rows are changed.
		const has = (line: string) => line.toLowerCase().includes(q.toLowerCase());
		setSearch(q ? { q, lines: lines.flatMap((line, at) => (has(line) ? [at] : [])) } : undefined);
	}
	function add(sign: string, at: number) {
		type(lines.toSpliced(at, 0, ` ${sign} `).join('\n'));
		setSearch(undefined);
		focus(`[name="${at}"]`);
	}
	function remove(at: number) {
		type(lines.toSpliced(at, 1).join('\n'));
		const left = search?.lines.filter((one) => one !== at).map((one) => one - Number(one > at));
		setSearch(search && { ...search, lines: left! });
	}

	return (
		<form
			ref={form}
			method="post"
			noValidate
			className="grid gap-6"
			onSubmit={(event) => {
				setTried(true);
				submit(event);
				focus('[aria-invalid="true"]');
			}}
		>
			{note}
			<SearchField label="Find a word" value={search?.q ?? ''} onSearch={find} />
			{KINDS.map(({ sign, name, others }) => {
				const own = lines.flatMap((line, at) =>
					!line.startsWith('#') && line.includes(sign) ? [{ line, at }] : [],
				);
				const found = search ? own.filter(({ at }) => search.lines.includes(at)) : own;
				const isWhole = search || all.includes(name);
				const shown = found.filter(
					({ line }, index) => isWhole || index < SHOWN || (isTried && lineProblem(line)),
				);
				return (
					<fieldset key={name} className="search-words">
						<legend>{name}</legend>
						<Button variant="quiet" onClick={() => add(sign, own[0]?.at ?? lines.length)}>
							Add a row
						</Button>
						<ul>
							{shown.map(({ line, at }) => {
								const [word, rest] = sidesOf(line, sign);
								const change = (first: string, second: string) =>
									type(lines.with(at, `${cleaned(first)} ${sign} ${cleaned(second)}`).join('\n'));
								const problem = isTried ? lineProblem(line) : undefined;
								return (
									<li key={at}>
										<Field
											label="Word"
											name={String(at)}
											value={word}
											autoComplete="off"
											spellCheck={false}
											error={problem && `${problem[0]!.toUpperCase()}${problem.slice(1)}.`}
											onChange={({ currentTarget }) => change(currentTarget.value, rest)}
										/>
										<Field
											label={others}
											value={rest}
											autoComplete="off"
											spellCheck={false}
											onChange={({ currentTarget }) => change(word, currentTarget.value)}
										/>
										<CloseButton
											label={`Remove ${word.trim() || 'the row'}`}
											onClick={() => remove(at)}
										/>
									</li>
								);
							})}
						</ul>
						{search && found.length === 0 && <p className="text-muted">No row has it.</p>}
						{shown.length < found.length && (
							<Button variant="quiet" onClick={() => setAll([...all, name])}>
								Show all {found.length} rows
							</Button>
						)}
					</fieldset>
				);
			})}
			<p className="field-hint">Commas stand between names.</p>
			<FieldError>{error}</FieldError>
			<div className="flex flex-wrap gap-3">
				<Button type="submit" busy={busy}>
					{busy ? 'Saving…' : 'Save words'}
				</Button>
				{text !== DEFAULT_ABBREVIATIONS && (
					<Button variant="quiet" onClick={() => type(DEFAULT_ABBREVIATIONS)}>
						Put the first list back
					</Button>
				)}
			</div>
		</form>
	);
}
