import { useRef, type ComponentProps, type ReactNode } from 'react';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { getFacts } from '#src/core/settings/settings.api.ts';
import { Loaded } from '#src/dashboard/kit/Loaded.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { AuditLog } from './AuditLog.tsx';
import { Comments } from './CommentSettings.tsx';
import { Password, Sessions } from './Sessions.tsx';

const NOTHING = {};
const loadAbbreviations = () =>
	import('./AbbreviationsForm.tsx').then((module) => module.AbbreviationsForm);
const loadSecondFactor = () => import('./SecondFactor.tsx').then((module) => module.SecondFactor);
const loadPageErrors = () => import('./PageErrors.tsx').then((module) => module.PageErrors);
const loadEarlierBuilds = () =>
	import('./EarlierBuilds.tsx').then((module) => module.EarlierBuilds);
const loadImportExport = () => import('./ImportExport.tsx').then((module) => module.ImportExport);

const section = (label: string, load: ComponentProps<typeof Loaded>['load']) => (
	<section className="desk-section">
		<Loaded label={label} load={load} />
	</section>
);

/** The parts of the screen by their names. */
const PARTS: [string, ReactNode][] = [
	['New comments', <Comments />],
	['Words that search knows', section('Words that search knows', loadAbbreviations)],
	['Open sessions', <Sessions />],
	['Sign-in', section('Sign-in', loadSecondFactor)],
	['Password', <Password />],
	['Import and export', section('Import and export', loadImportExport)],
	['Earlier builds', section('Earlier builds', loadEarlierBuilds)],
	['Errors of pages', section('Errors of pages', loadPageErrors)],
	['What is set up', <Facts />],
	['Audit log', <AuditLog />],
];

/** How the site behaves, who is signed in, what was done. */
export function SettingsScreen() {
	const parts = useRef<HTMLDivElement>(null);
	function show(index: number) {
		const part = parts.current?.children[index] as HTMLElement | undefined;
		part?.scrollIntoView();
		part?.focus({ preventScroll: true });
	}
	return (
		<div className="desk-with-parts">
			<nav aria-label="Parts of the settings" className="desk-parts">
				{PARTS.map(([label], index) => (
					<button key={label} type="button" className="link" onClick={() => show(index)}>
						{label}
					</button>
				))}
			</nav>
			<div ref={parts}>
				{PARTS.map(([label, part]) => (
					<div key={label} className="desk-part" tabIndex={-1}>
						{part}
					</div>
				))}
			</div>
		</div>
	);
}

function Facts() {
	const { answer, error, reload } = useAnswer(getFacts, NOTHING);
	return (
		<section className="desk-section">
			<h2>What is set up</h2>
			<p>Set by server environment variables.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading facts" rows={5} />}
			{answer && (
				<dl className="facts">
					{answer.map(({ name, value, isSet }) => (
						<div key={name}>
							<dt>{name}</dt>
							<dd className={isSet ? undefined : 'text-muted'}>{value}</dd>
						</div>
					))}
				</dl>
			)}
		</section>
	);
}
