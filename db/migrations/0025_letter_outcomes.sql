ALTER TABLE `letters` ADD `confirmed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `links` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `readings` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `comments` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `outcome` text;