CREATE TABLE `search_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`title` text NOT NULL,
	`excerpt` text NOT NULL,
	`tags` text NOT NULL,
	`headings` text NOT NULL,
	`body` text NOT NULL,
	`digest` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_entries_digest_unique` ON `search_entries` (`digest`);--> statement-breakpoint
-- As for articles: a full-text index over the rows, and their words in the vocabulary. A row that changes is replaced.
CREATE VIRTUAL TABLE `search_entry_index` USING fts5(
	title, excerpt, tags, body,
	content='search_entries', content_rowid='id',
	tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
--> statement-breakpoint
CREATE TRIGGER `search_entries_insert` AFTER INSERT ON `search_entries` BEGIN
	INSERT INTO search_entry_index(rowid, title, excerpt, tags, body)
	VALUES (new.id, new.title, new.excerpt, new.tags, new.body);
	INSERT INTO search_words(word)
		SELECT DISTINCT word FROM (
			SELECT lower(trim(value, '.,;:!?()[]{}"''`*_“”‘’…')) AS word FROM (
				SELECT DISTINCT value FROM json_each('[' || replace(replace(replace(
					json_quote(replace(new.title || ' ' || new.excerpt || ' ' || new.tags || ' ' || new.body, char(10), ' ')),
					' ', '","'), '-', '","'), '/', '","') || ']')
			) LIMIT -1
		) AS unknown
		WHERE length(word) BETWEEN 4 AND 32 AND word NOT GLOB '*[^a-z0-9]*'
		AND NOT EXISTS (SELECT 1 FROM search_words AS known WHERE known.word = unknown.word);
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_delete` AFTER DELETE ON `search_entries` BEGIN
	INSERT INTO search_entry_index(search_entry_index, rowid, title, excerpt, tags, body)
	VALUES ('delete', old.id, old.title, old.excerpt, old.tags, old.body);
END;
