ALTER TABLE `posts` ADD `questions` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `stale_after` text;