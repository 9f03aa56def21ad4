-- A smaller index of what articles say of themselves: in the index of everything, the many articles that have a word only
-- in their text would be read to find those that have it here.
CREATE VIRTUAL TABLE `search_heads` USING fts5(
	title, excerpt, tags, searched_as,
	content='rendered_posts', content_rowid='id',
	tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
--> statement-breakpoint
INSERT INTO search_heads(search_heads) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_heads_insert` AFTER INSERT ON `rendered_posts` BEGIN
	INSERT INTO search_heads(rowid, title, excerpt, tags, searched_as)
	VALUES (new.id, new.title, new.excerpt, new.tags, new.searched_as);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_heads_delete` AFTER DELETE ON `rendered_posts` BEGIN
	INSERT INTO search_heads(search_heads, rowid, title, excerpt, tags, searched_as)
	VALUES ('delete', old.id, old.title, old.excerpt, old.tags, old.searched_as);
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_heads_update` AFTER UPDATE OF title, excerpt, tags, searched_as ON `rendered_posts` BEGIN
	INSERT INTO search_heads(search_heads, rowid, title, excerpt, tags, searched_as)
	VALUES ('delete', old.id, old.title, old.excerpt, old.tags, old.searched_as);
	INSERT INTO search_heads(rowid, title, excerpt, tags, searched_as)
	VALUES (new.id, new.title, new.excerpt, new.tags, new.searched_as);
END;
