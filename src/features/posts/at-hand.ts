import type { PostState } from '#src/core/posts/post-state.ts';

/** Some rows of a list, and how many it has. */
export type Some<Row> = { total: number; rows: Row[] };

/** A post that somebody wrote in last. */
export type EditedPost = {
	id: string;
	title: string;
	state: PostState;
	/** Whether it is public and holds changes that are not. */
	hasChanges: boolean;
	editedAt: string;
	words: number;
	/** Its byline, or the program that began it. */
	by: string;
};

/** A post and the time that is told of it. */
export type DatedPost = { id: string; title: string; at: string };
