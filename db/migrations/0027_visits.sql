CREATE TABLE `visit_sources` (
	`span` text NOT NULL,
	`at` integer NOT NULL,
	`path` text NOT NULL,
	`referrer` text NOT NULL,
	`campaign` text NOT NULL,
	`views` integer NOT NULL,
	`starts` integer NOT NULL,
	`from_referrer` integer NOT NULL,
	`from_campaign` integer NOT NULL,
	PRIMARY KEY(`span`, `at`, `path`, `referrer`, `campaign`)
);
--> statement-breakpoint
CREATE INDEX `visit_sources_path` ON `visit_sources` (`path`,`span`,`at`);--> statement-breakpoint
CREATE INDEX `visit_sources_referrer` ON `visit_sources` (`referrer`,`span`,`at`);--> statement-breakpoint
CREATE INDEX `visit_sources_campaign` ON `visit_sources` (`campaign`,`span`,`at`);--> statement-breakpoint
CREATE TABLE `visit_sums` (
	`by` text NOT NULL,
	`span` text NOT NULL,
	`at` integer NOT NULL,
	`key` text NOT NULL,
	`views` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`by`, `span`, `at`, `key`)
);
--> statement-breakpoint
CREATE TABLE `visits` (
	`visitor` text NOT NULL,
	`path` text NOT NULL,
	`id` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`hour` integer NOT NULL,
	`referrer` text NOT NULL,
	`campaign` text NOT NULL,
	`starts` integer NOT NULL,
	`from_referrer` integer NOT NULL,
	`from_campaign` integer NOT NULL,
	`heading` text,
	`place` integer DEFAULT -1 NOT NULL,
	`is_bot` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`visitor`, `path`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visits_id` ON `visits` (`id`);--> statement-breakpoint
CREATE INDEX `visits_created` ON `visits` (`created_at`);