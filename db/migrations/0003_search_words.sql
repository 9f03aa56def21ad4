-- The words of all articles, by which search recognises a misspelt one. Words are only ever added: what no article has any more finds nothing.
CREATE TABLE `search_words` (
	`id` integer PRIMARY KEY,
	`word` text NOT NULL UNIQUE
);
--> statement-breakpoint
-- The beginning and the end of a word count as letters, so that short words with two letters swapped still have something in common.
CREATE VIRTUAL TABLE `search_trigrams` USING fts5(word, content='', tokenize='trigram');
--> statement-breakpoint
CREATE TRIGGER `search_words_insert` AFTER INSERT ON `search_words` BEGIN
	INSERT INTO search_trigrams(rowid, word) VALUES (new.id, '^' || new.word || '$');
END;
--> statement-breakpoint
-- What stands between spaces, hyphens and slashes, as a JSON list: the fastest splitting that SQL has. The limit keeps
-- the condition outside, where the word is computed once.
CREATE TRIGGER `rendered_posts_words_insert` AFTER INSERT ON `rendered_posts` BEGIN
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
CREATE TRIGGER `rendered_posts_words_update` AFTER UPDATE OF title, excerpt, tags, body ON `rendered_posts` BEGIN
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
INSERT INTO search_words(word)
	SELECT DISTINCT word FROM (
		SELECT lower(trim(value, '.,;:!?()[]{}"''`*_“”‘’…')) AS word FROM (
			SELECT DISTINCT value FROM rendered_posts, json_each('[' || replace(replace(replace(
				json_quote(replace(rendered_posts.title || ' ' || rendered_posts.excerpt || ' ' || rendered_posts.tags || ' ' || rendered_posts.body, char(10), ' ')),
				' ', '","'), '-', '","'), '/', '","') || ']')
		) LIMIT -1
	) AS unknown
	WHERE length(word) BETWEEN 4 AND 32 AND word NOT GLOB '*[^a-z0-9]*'
	AND NOT EXISTS (SELECT 1 FROM search_words AS known WHERE known.word = unknown.word);
