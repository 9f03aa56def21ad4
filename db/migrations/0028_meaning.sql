CREATE TABLE `meaning_words` (
	`basis` integer NOT NULL,
	`word` text NOT NULL,
	`vector` F32_BLOB(64) NOT NULL,
	PRIMARY KEY(`basis`, `word`)
);
--> statement-breakpoint
CREATE TABLE `meanings` (
	`id` integer PRIMARY KEY NOT NULL,
	`basis` integer NOT NULL,
	`article_id` integer,
	`entry_id` integer,
	`vector` F32_BLOB(64) NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `rendered_posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`entry_id`) REFERENCES `search_entries`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `meanings_article` ON `meanings` (`article_id`,`basis`);--> statement-breakpoint
CREATE UNIQUE INDEX `meanings_entry` ON `meanings` (`entry_id`,`basis`);--> statement-breakpoint
-- An article that has changed means what it says once it is rendered again.
CREATE TRIGGER `rendered_posts_meaning` AFTER UPDATE OF digest ON `rendered_posts` WHEN new.digest = '' BEGIN
	DELETE FROM meanings WHERE article_id = new.id;
END;
