import type { ArticleFeedback } from '#src/features/feedback/feedback.ts';

type ArticleRef = { id: string; title: string };

/** A web address that articles cite and that has stopped to answer. */
export type SilentSource = {
	url: string;
	/** Fault that the last check found, in a sentence. */
	said: string;
	checkedAt: string;
	articles: ArticleRef[];
};

/** Figures of states of which their source should have published newer ones. */
export type OldFigures = {
	source: string;
	/** Address of the source's page. */
	link: string | null;
	/** ISO date, or year and month. */
	asOf: string;
	/** Names and slugs. */
	states: { name: string; slug: string }[];
};

/** Work that is due, besides articles to be reviewed. */
export type Due = {
	sources: SilentSource[];
	figures: OldFigures[];
	/** Articles with code that readers run: what it prints may change with the runtime. */
	programs: ArticleRef[];
	/** The answers of readers to the question under articles, and whether it is asked. */
	feedback: ArticleFeedback[];
	asksReaders: boolean;
};
