CREATE TABLE `post_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`kind` text NOT NULL,
	`note` text NOT NULL,
	`passages` text NOT NULL,
	`title` text NOT NULL,
	`html` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_changes_post` ON `post_changes` (`post_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `posts` ADD `changed_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `reviewed_at` integer;