DROP INDEX `post_counts_day`;--> statement-breakpoint
CREATE INDEX `post_counts_day` ON `post_counts` (`day`,`post_id`,`views`,`shares`);--> statement-breakpoint
CREATE INDEX `subscribers_totals` ON `subscribers` (`source`,`active`);