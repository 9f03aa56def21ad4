ALTER TABLE `letters` ADD `posts` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `cadence` text DEFAULT 'weekly' NOT NULL;