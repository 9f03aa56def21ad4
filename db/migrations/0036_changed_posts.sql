CREATE TABLE `changed_posts` (
	`post_id` text PRIMARY KEY NOT NULL,
	`write` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `changed_posts_write` ON `changed_posts` (`write`);--> statement-breakpoint
-- What pages show of a post, apart from what few rows hold for all of them.
CREATE TRIGGER `posts_changed_insert` AFTER INSERT ON `posts` BEGIN
	INSERT INTO changed_posts VALUES (new.id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `posts_changed_update` AFTER UPDATE ON `posts` BEGIN
	INSERT INTO changed_posts VALUES (new.id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `posts_changed_delete` AFTER DELETE ON `posts` BEGIN
	INSERT INTO changed_posts VALUES (old.id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `rendered_posts_changed_insert` AFTER INSERT ON `rendered_posts` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `rendered_posts_changed_update` AFTER UPDATE OF digest, words ON `rendered_posts` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `rendered_posts_changed_delete` AFTER DELETE ON `rendered_posts` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_tags_changed_insert` AFTER INSERT ON `post_tags` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_tags_changed_update` AFTER UPDATE ON `post_tags` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_tags_changed_delete` AFTER DELETE ON `post_tags` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `comments_changed_insert` AFTER INSERT ON `comments` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `comments_changed_update` AFTER UPDATE ON `comments` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `comments_changed_delete` AFTER DELETE ON `comments` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_changes_changed_insert` AFTER INSERT ON `post_changes` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_changes_changed_update` AFTER UPDATE ON `post_changes` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_changes_changed_delete` AFTER DELETE ON `post_changes` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_totals_changed_insert` AFTER INSERT ON `post_totals` WHEN new.shares > 0 BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_totals_changed_update` AFTER UPDATE OF shares ON `post_totals` WHEN new.shares <> old.shares BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;--> statement-breakpoint
CREATE TRIGGER `post_totals_changed_delete` AFTER DELETE ON `post_totals` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
