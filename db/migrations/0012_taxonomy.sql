CREATE TABLE `term_redirects` (
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`term_id` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	PRIMARY KEY(`kind`, `slug`)
);
--> statement-breakpoint
CREATE INDEX `term_redirects_term` ON `term_redirects` (`kind`,`term_id`);--> statement-breakpoint
CREATE TABLE `undo` (
	`token` text PRIMARY KEY NOT NULL,
	`audit_id` integer NOT NULL,
	`steps` text NOT NULL,
	`undone_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `undo_audit` ON `undo` (`audit_id`);--> statement-breakpoint
CREATE INDEX `undo_created` ON `undo` (`created_at`);--> statement-breakpoint
ALTER TABLE `categories` ADD `cover` text;--> statement-breakpoint
ALTER TABLE `categories` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `tags` ADD `description` text;--> statement-breakpoint
ALTER TABLE `tags` ADD `version` integer DEFAULT 1 NOT NULL;