import type { ComponentProps, ReactNode } from 'react';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { getFacts } from '#src/core/settings/settings.api.ts';
import { Loaded } from '#src/dashboard/kit/Loaded.tsx';
import { Parts } from '#src/dashboard/kit/Parts.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { AuditLog } from './AuditLog.tsx';
import { Comments } from './CommentSettings.tsx';
import { SETTINGS, type SettingsPart } from './parts.ts';
import { Password, Sessions } from './Sessions.tsx';
import { UndoImport } from './UndoImport.tsx';

const NOTHING = {};
const loadAbbreviations = () =>
	import('./AbbreviationsForm.tsx').then((module) => module.AbbreviationsForm);
const loadSecondFactor = () => import('./SecondFactor.tsx').then((module) => module.SecondFactor);
const loadPrograms = () =>
	import('#src/dashboard/programs/Programs.tsx').then((module) => module.Programs);
const loadNetworks = () =>
	import('#src/dashboard/networks/Networks.tsx').then((module) => module.Networks);
const loadPageErrors = () => import('./PageErrors.tsx').then((module) => module.PageErrors);
const loadEarlierBuilds = () =>
	import('./EarlierBuilds.tsx').then((module) => module.EarlierBuilds);
const loadImportExport = () => import('./ImportExport.tsx').then((module) => module.ImportExport);

const section = (label: string, load: ComponentProps<typeof Loaded>['load']) => (
	<section className="desk-section">
		<Loaded label={label} load={load} />
	</section>
);

const PARTS: Record<SettingsPart, ReactNode> = {
	'New comments': <Comments />,
	'Words that search knows': section('Words that search knows', loadAbbreviations),
	'Open sessions': <Sessions />,
	'Sign-in': section('Sign-in', loadSecondFactor),
	'Programs that write drafts': section('Programs that write drafts', loadPrograms),
	'Bluesky and Mastodon': section('Bluesky and Mastodon', loadNetworks),
	Password: <Password />,
	'Import and export': section('Import and export', loadImportExport),
	'Earlier builds': section('Earlier builds', loadEarlierBuilds),
	'Errors of pages': section('Errors of pages', loadPageErrors),
	'What is set up': <Facts />,
	'Audit log': <AuditLog />,
};

/** How the site behaves, who is signed in, what was done. */
export function SettingsScreen() {
	return (
		<>
			<Parts screen="settings" of="settings" parts={SETTINGS}>
				{(part) => PARTS[part as SettingsPart]}
			</Parts>
			<UndoImport />
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
