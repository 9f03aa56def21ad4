ALTER TABLE `comments` ADD `deleted_at` integer;--> statement-breakpoint
-- Made anew, because the bytes must stay the last column: what stands behind them is read through them.
CREATE TABLE `__new_media` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`size` integer NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`focus` text DEFAULT '50% 50%' NOT NULL,
	`digest` text NOT NULL,
	`deleted_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_media` (`id`, `name`, `type`, `width`, `height`, `size`, `alt`, `digest`, `created_at`, `bytes`)
	SELECT `id`, `name`, `type`, `width`, `height`, `size`, `alt`, `digest`, `created_at`, `bytes` FROM `media`;--> statement-breakpoint
DROP TABLE `media`;--> statement-breakpoint
ALTER TABLE `__new_media` RENAME TO `media`;--> statement-breakpoint
CREATE UNIQUE INDEX `media_digest_unique` ON `media` (`digest`);--> statement-breakpoint
CREATE INDEX `media_created` ON `media` (`created_at`);
