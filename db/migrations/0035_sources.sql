CREATE TABLE `sources` (
	`url` text PRIMARY KEY NOT NULL,
	`articles` text NOT NULL,
	`checked_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`said` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sources_checked` ON `sources` (`checked_at`);