CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`answer` text,
	`words` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`state_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `feedback_post` ON `feedback` (`post_id`);--> statement-breakpoint
CREATE INDEX `feedback_created` ON `feedback` (`created_at`);