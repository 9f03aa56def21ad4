ALTER TABLE `subscribers` ADD `wants_whole` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `consent` text;