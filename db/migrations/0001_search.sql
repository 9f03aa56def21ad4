-- Full-text index over rendered_posts (external content), kept by the triggers that SQLite's FTS5 manual gives.
CREATE VIRTUAL TABLE `search_index` USING fts5(
	title, excerpt, tags, body,
	content='rendered_posts', content_rowid='id',
	tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_search_insert` AFTER INSERT ON `rendered_posts` BEGIN
	INSERT INTO search_index(rowid, title, excerpt, tags, body)
	VALUES (new.id, new.title, new.excerpt, new.tags, new.body);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_search_delete` AFTER DELETE ON `rendered_posts` BEGIN
	INSERT INTO search_index(search_index, rowid, title, excerpt, tags, body)
	VALUES ('delete', old.id, old.title, old.excerpt, old.tags, old.body);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_search_update` AFTER UPDATE OF title, excerpt, tags, body ON `rendered_posts` BEGIN
	INSERT INTO search_index(search_index, rowid, title, excerpt, tags, body)
	VALUES ('delete', old.id, old.title, old.excerpt, old.tags, old.body);
	INSERT INTO search_index(rowid, title, excerpt, tags, body)
	VALUES (new.id, new.title, new.excerpt, new.tags, new.body);
END;
--> statement-breakpoint
-- A rendering is stale once what it was made from has changed: these empty its digest.
CREATE TRIGGER `posts_stale` AFTER UPDATE OF title, excerpt, content ON `posts` BEGIN
	UPDATE rendered_posts SET digest = '' WHERE post_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `post_tags_stale_insert` AFTER INSERT ON `post_tags` BEGIN
	UPDATE rendered_posts SET digest = '' WHERE post_id = new.post_id;
END;
--> statement-breakpoint
CREATE TRIGGER `post_tags_stale_delete` AFTER DELETE ON `post_tags` BEGIN
	UPDATE rendered_posts SET digest = '' WHERE post_id = old.post_id;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_stale` AFTER UPDATE OF name ON `tags` BEGIN
	UPDATE rendered_posts SET digest = '' WHERE post_id IN (SELECT post_id FROM post_tags WHERE tag_id = new.id);
END;
