ALTER TABLE `posts` ADD `searched_as` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `related` text;--> statement-breakpoint
ALTER TABLE `rendered_posts` ADD `searched_as` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- The words that readers may use instead are searched as the rest is: the index and its triggers are made again with them.
DROP TRIGGER `rendered_posts_search_insert`;
--> statement-breakpoint
DROP TRIGGER `rendered_posts_search_delete`;
--> statement-breakpoint
DROP TRIGGER `rendered_posts_search_update`;
--> statement-breakpoint
DROP TRIGGER `rendered_posts_words_insert`;
--> statement-breakpoint
DROP TRIGGER `rendered_posts_words_update`;
--> statement-breakpoint
DROP TRIGGER `posts_stale`;
--> statement-breakpoint
DROP TABLE `search_index`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_index` USING fts5(
	title, excerpt, tags, body, searched_as,
	content='rendered_posts', content_rowid='id',
	tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
--> statement-breakpoint
INSERT INTO search_index(search_index) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_search_insert` AFTER INSERT ON `rendered_posts` BEGIN
	INSERT INTO search_index(rowid, title, excerpt, tags, body, searched_as)
	VALUES (new.id, new.title, new.excerpt, new.tags, new.body, new.searched_as);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_search_delete` AFTER DELETE ON `rendered_posts` BEGIN
	INSERT INTO search_index(search_index, rowid, title, excerpt, tags, body, searched_as)
	VALUES ('delete', old.id, old.title, old.excerpt, old.tags, old.body, old.searched_as);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_search_update` AFTER UPDATE OF title, excerpt, tags, body, searched_as ON `rendered_posts` BEGIN
	INSERT INTO search_index(search_index, rowid, title, excerpt, tags, body, searched_as)
	VALUES ('delete', old.id, old.title, old.excerpt, old.tags, old.body, old.searched_as);
	INSERT INTO search_index(rowid, title, excerpt, tags, body, searched_as)
	VALUES (new.id, new.title, new.excerpt, new.tags, new.body, new.searched_as);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_words_insert` AFTER INSERT ON `rendered_posts` BEGIN
	INSERT INTO search_words(word)
		SELECT DISTINCT word FROM (
			SELECT lower(trim(value, '.,;:!?()[]{}"''`*_“”‘’…')) AS word FROM (
				SELECT DISTINCT value FROM json_each('[' || replace(replace(replace(
					json_quote(replace(new.title || ' ' || new.excerpt || ' ' || new.tags || ' ' || new.searched_as || ' ' || new.body, char(10), ' ')),
					' ', '","'), '-', '","'), '/', '","') || ']')
			) LIMIT -1
		) AS unknown
		WHERE length(word) BETWEEN 4 AND 32 AND word NOT GLOB '*[^a-z0-9]*'
		AND NOT EXISTS (SELECT 1 FROM search_words AS known WHERE known.word = unknown.word);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_words_update` AFTER UPDATE OF title, excerpt, tags, body, searched_as ON `rendered_posts` BEGIN
	INSERT INTO search_words(word)
		SELECT DISTINCT word FROM (
			SELECT lower(trim(value, '.,;:!?()[]{}"''`*_“”‘’…')) AS word FROM (
				SELECT DISTINCT value FROM json_each('[' || replace(replace(replace(
					json_quote(replace(new.title || ' ' || new.excerpt || ' ' || new.tags || ' ' || new.searched_as || ' ' || new.body, char(10), ' ')),
					' ', '","'), '-', '","'), '/', '","') || ']')
			) LIMIT -1
		) AS unknown
		WHERE length(word) BETWEEN 4 AND 32 AND word NOT GLOB '*[^a-z0-9]*'
		AND NOT EXISTS (SELECT 1 FROM search_words AS known WHERE known.word = unknown.word);
END;
--> statement-breakpoint
CREATE TRIGGER `posts_stale` AFTER UPDATE OF title, excerpt, content, searched_as ON `posts` BEGIN
	UPDATE rendered_posts SET digest = '' WHERE post_id = new.id;
END;
