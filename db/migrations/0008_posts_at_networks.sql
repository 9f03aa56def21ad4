CREATE TABLE `mentions` (
	`post_id` text NOT NULL,
	`network` text NOT NULL,
	`url` text DEFAULT '' NOT NULL,
	`ref` text DEFAULT '' NOT NULL,
	`replies` integer DEFAULT 0 NOT NULL,
	`likes` integer DEFAULT 0 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	PRIMARY KEY(`post_id`, `network`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TRIGGER `mentions_changed_insert` AFTER INSERT ON `mentions` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `mentions_changed_update` AFTER UPDATE OF url, replies, likes ON `mentions` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `mentions_changed_delete` AFTER DELETE ON `mentions` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
