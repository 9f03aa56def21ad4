CREATE TABLE `signup_days` (
	`day` integer NOT NULL,
	`source` text NOT NULL,
	`signups` integer NOT NULL,
	PRIMARY KEY(`day`, `source`)
);
--> statement-breakpoint
ALTER TABLE `subscribers` ADD `labels` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_labels` ON `subscribers` (`labels`) WHERE labels <> '[]';
--> statement-breakpoint
INSERT INTO `signup_days` (`day`, `source`, `signups`)
	SELECT cast(`created_at` / 86400000 as integer), coalesce(`source`, ''), count(*) FROM `subscribers`
	WHERE `imported_at` IS NULL AND typeof(`created_at`) = 'integer' GROUP BY 1, 2;
