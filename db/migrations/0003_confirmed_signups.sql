CREATE TABLE `unconfirmed` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`wish` text NOT NULL,
	`details` text NOT NULL,
	`page` text DEFAULT '' NOT NULL,
	`asked` integer DEFAULT 1 NOT NULL,
	`asked_at` integer NOT NULL,
	`confirmed_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `unconfirmed_wish` ON `unconfirmed` (`email`,`wish`);--> statement-breakpoint
CREATE INDEX `unconfirmed_asked` ON `unconfirmed` (`asked_at`);--> statement-breakpoint
ALTER TABLE `enrollments` ADD `consent` text;