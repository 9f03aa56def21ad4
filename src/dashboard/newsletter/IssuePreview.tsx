import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { MailPreview } from '#src/dashboard/kit/MailPreview.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { getDigest } from '#src/features/mail/mail.api.ts';
import { headlineOf } from '#src/features/newsletter/issue.ts';
import { IssueArticles } from '#src/features/newsletter/IssueArticles.tsx';
import { getNextIssue } from '#src/features/newsletter/letters.api.ts';
import { localDate } from '#src/lib/dates.ts';

const PAGE = [{ value: 'page', label: 'Web page' }] as const;

/** The next issue as it is saved: its email, and its page. */
export function IssuePreview({ version, unsaved }: { version: string; unsaved: boolean }) {
	return (
		<MailPreview beside others={PAGE} note={unsaved ? 'Shows what is saved.' : ''}>
			{(view, width) =>
				view === 'page' ? (
					<PagePreview key={version} width={width} />
				) : (
					<iframe
						key={version}
						className="mail-frame"
						title="The email of the next issue"
						width={width}
						src={`${getDigest.path}?view=${view}`}
					/>
				)
			}
		</MailPreview>
	);
}

const WITH_PAGE = { page: true };

/** The page of the issue on the site. */
function PagePreview({ width }: { width: number }) {
	const { answer, error, reload } = useAnswer(getNextIssue, WITH_PAGE);
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!answer?.page) return <Skeleton label="Loading the page" rows={6} />;
	const { date, ...page } = answer.page;
	return (
		<div
			className="mail-frame mail-frame-page"
			role="region"
			aria-label="The page of the next issue"
			tabIndex={0}
			style={{ width }}
		>
			<p className="label">{localDate(date)}</p>
			<h1 className="mt-2">{headlineOf(page.posts)}</h1>
			<IssueArticles {...page} />
		</div>
	);
}
