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

/** How the site behaves, who is signed in, what was done. */
export function SettingsScreen() {
	return (
		<>
			<Comments />
			<section className="desk-section">
				<Loaded label="Words that search knows" load={loadAbbreviations} />
			</section>
			<Sessions />
			<section className="desk-section">
				<Loaded label="Sign-in" load={loadSecondFactor} />
			</section>
			<Password />
			<section className="desk-section">
				<Loaded label="Import and export" load={loadImportExport} />
			</section>
			<section className="desk-section">
				<Loaded label="Earlier builds" load={loadEarlierBuilds} />
			</section>
			<section className="desk-section">
				<Loaded label="Errors of pages" load={loadPageErrors} />
			</section>
			<Facts />
			<AuditLog />
		</>
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
