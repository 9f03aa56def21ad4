CREATE TABLE `letters` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`preview` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`html` text DEFAULT '' NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`topic` text,
	`source` text,
	`due_at` integer,
	`queued_up_to` text DEFAULT '' NOT NULL,
	`recipients` integer DEFAULT 0 NOT NULL,
	`queued_at` integer,
	`paused_at` integer,
	`resumed_at` integer,
	`stopped_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `letters_open` ON `letters` (`created_at`) WHERE queued_at is null;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `topics` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
INSERT INTO `letters` (`id`, `subject`, `queued_up_to`, `recipients`, `queued_at`, `created_at`)
	SELECT `date`, `subject`, `queued_up_to`, `recipients`, `queued_at`, `created_at` FROM `issues`;--> statement-breakpoint
ALTER TABLE `issues` DROP COLUMN `queued_up_to`;--> statement-breakpoint
ALTER TABLE `issues` DROP COLUMN `recipients`;--> statement-breakpoint
ALTER TABLE `issues` DROP COLUMN `queued_at`;