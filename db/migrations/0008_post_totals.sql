CREATE TABLE `post_totals` (
	`post_id` text PRIMARY KEY NOT NULL,
	`views` integer NOT NULL,
	`shares` integer NOT NULL,
	`heat` real NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_totals_heat` ON `post_totals` (`heat`);--> statement-breakpoint
CREATE INDEX `post_totals_shares` ON `post_totals` (`shares`);--> statement-breakpoint
-- The sums of what was counted before: SQLite has no power function.
WITH RECURSIVE weights(day, weight) AS (
	SELECT 25567, 1.0
	UNION ALL
	SELECT day - 1, weight / 1.1040895136738123 FROM weights WHERE day > (SELECT min(day) FROM post_counts)
)
INSERT INTO `post_totals` SELECT post_id, sum(views), sum(shares), sum(views * weight) FROM post_counts JOIN weights USING (day) GROUP BY post_id;
