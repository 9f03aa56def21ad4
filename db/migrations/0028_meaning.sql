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
-- libSQL's own index of vectors: neighbors in one byte for each number, and few of them, keep it at 2 kB a text.
CREATE INDEX `meanings_vector` ON `meanings` (libsql_vector_idx(`vector`, 'metric=cosine', 'compress_neighbors=float8', 'max_neighbors=16'));
--> statement-breakpoint
-- An article that has changed means what it says once it is rendered again.
CREATE TRIGGER `rendered_posts_meaning` AFTER UPDATE OF digest ON `rendered_posts` WHEN new.digest = '' BEGIN
	DELETE FROM meanings WHERE article_id = new.id;
END;
--> statement-breakpoint
-- Without a trigger SQLite empties a table at once, and libSQL's index keeps what is no longer there.
CREATE TRIGGER `meanings_delete` AFTER DELETE ON `meanings` BEGIN
	SELECT 1;
END;
