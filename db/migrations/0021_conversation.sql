ALTER TABLE `comments` ADD `parent_id` text REFERENCES `comments`(`id`) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `comments` ADD `by_owner` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `comments` ADD `pinned_at` integer;--> statement-breakpoint
ALTER TABLE `comments` ADD `edited_at` integer;--> statement-breakpoint
ALTER TABLE `comments` ADD `notify` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `comments` ADD `earlier` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `comments_parent` ON `comments` (`parent_id`);