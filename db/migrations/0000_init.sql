CREATE TABLE `categories` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`color` text DEFAULT '#0E7490' NOT NULL,
	`position` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
, `cover` text, `version` integer DEFAULT 1 NOT NULL);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name_unique` ON `categories` (`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug_unique` ON `categories` (`slug`);
--> statement-breakpoint
CREATE TABLE `comments` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`author` text(100) NOT NULL,
	`email` text(255) NOT NULL,
	`content` text NOT NULL,
	`approved` integer DEFAULT true NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL, `reviewed_at` integer, `deleted_at` integer, `parent_id` text REFERENCES `comments`(`id`) ON DELETE SET NULL, `by_owner` integer DEFAULT false NOT NULL, `pinned_at` integer, `edited_at` integer, `notify` integer DEFAULT false NOT NULL, `earlier` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `comments_post` ON `comments` (`post_id`,`approved`,`created_at`);
--> statement-breakpoint
CREATE INDEX `comments_limit` ON `comments` (`email`,`post_id`,`created_at`);
--> statement-breakpoint
CREATE TABLE `contact_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`topic` text NOT NULL,
	`message` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
, `state` text DEFAULT 'new' NOT NULL, `version` integer DEFAULT 1 NOT NULL, `deleted_at` integer);
--> statement-breakpoint
CREATE INDEX `contact_messages_created` ON `contact_messages` (`created_at`);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`leased_until` integer,
	`delivered_at` integer,
	`last_error` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
, `recipient` text, `failed_at` integer);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_once` ON `outbox` (`kind`,`key`);
--> statement-breakpoint
CREATE TABLE `post_counts` (
	`post_id` text NOT NULL,
	`day` integer NOT NULL,
	`views` integer DEFAULT 0 NOT NULL,
	`shares` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`post_id`, `day`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `post_tags` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`tag_id` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `post_tags_post` ON `post_tags` (`post_id`,`tag_id`);
--> statement-breakpoint
CREATE INDEX `post_tags_tag` ON `post_tags` (`tag_id`,`post_id`);
--> statement-breakpoint
CREATE TABLE `posts` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`excerpt` text,
	`content` text NOT NULL,
	`featured_image` text,
	`meta_title` text,
	`meta_description` text,
	`author` text NOT NULL,
	`category_id` text NOT NULL,
	`published` integer DEFAULT false NOT NULL,
	`featured` integer DEFAULT false NOT NULL,
	`read_time` integer DEFAULT 5 NOT NULL,
	`published_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL, `version` integer DEFAULT 1 NOT NULL, `deleted_at` integer, `changed_at` integer, `reviewed_at` integer, `searched_as` text, `related` text,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE UNIQUE INDEX `posts_slug_unique` ON `posts` (`slug`);
--> statement-breakpoint
CREATE INDEX `posts_category` ON `posts` (`category_id`,`published`,`published_at`);
--> statement-breakpoint
CREATE INDEX `posts_published` ON `posts` (`published`,`published_at`);
--> statement-breakpoint
CREATE INDEX `posts_featured` ON `posts` (`featured`,`published`,`published_at`);
--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limits_key` ON `rate_limits` (`key`,`created_at`);
--> statement-breakpoint
CREATE INDEX `rate_limits_created` ON `rate_limits` (`created_at`);
--> statement-breakpoint
CREATE TABLE `rendered_posts` (
	`id` integer PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`digest` text NOT NULL,
	`renderer` text NOT NULL,
	`html` text NOT NULL,
	`headings` text NOT NULL,
	`title` text NOT NULL,
	`excerpt` text NOT NULL,
	`tags` text NOT NULL,
	`body` text NOT NULL, `markdown` text DEFAULT '' NOT NULL, `searched_as` text DEFAULT '' NOT NULL, `words` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rendered_posts_post_id_unique` ON `rendered_posts` (`post_id`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`expires_at` integer NOT NULL, `user_agent` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `states` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`abbreviation` text NOT NULL,
	`population` integer NOT NULL,
	`capital` text NOT NULL,
	`major_cities` text NOT NULL,
	`ai_companies` text NOT NULL,
	`universities` text NOT NULL,
	`tech_hubs` text NOT NULL,
	`ai_jobs` integer,
	`average_salary` integer,
	`key_industries` text NOT NULL,
	`ai_initiatives` text NOT NULL,
	`research_centers` text NOT NULL,
	`startup_ecosystem` text NOT NULL,
	`government_support` text NOT NULL,
	`description` text NOT NULL,
	`meta_title` text NOT NULL,
	`meta_description` text NOT NULL,
	`keywords` text NOT NULL,
	`figures` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
, `answers` text DEFAULT '{}' NOT NULL, `offer` text DEFAULT '{}' NOT NULL, `version` integer DEFAULT 1 NOT NULL);
--> statement-breakpoint
CREATE UNIQUE INDEX `states_name_unique` ON `states` (`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `states_slug_unique` ON `states` (`slug`);
--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`source` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
, `name` text, `last_name` text, `paused_until` integer, `left_at` integer, `hard_bounces` integer DEFAULT 0 NOT NULL, `imported_at` integer, `topics` text DEFAULT '[]' NOT NULL, `wants_whole` integer DEFAULT false NOT NULL, `consent` text);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email_unique` ON `subscribers` (`email`);
--> statement-breakpoint
CREATE TABLE `tags` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
, `description` text, `version` integer DEFAULT 1 NOT NULL);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name_unique` ON `tags` (`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_slug_unique` ON `tags` (`slug`);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`email` text NOT NULL,
	`password` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (`username`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
--> statement-breakpoint
-- A rendering is stale once what it was made from has changed: these empty its digest.
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
--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_created` ON `audit_log` (`created_at`);
--> statement-breakpoint
CREATE TABLE `builds` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`cause` text NOT NULL,
	`doing` text,
	`done` integer,
	`total` integer,
	`reason` text,
	`requested_at` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `builds_requested` ON `builds` (`requested_at`);
--> statement-breakpoint
CREATE TABLE `counted_visits` (
	`key` text PRIMARY KEY NOT NULL,
	`day` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `counted_visits_day` ON `counted_visits` (`day`);
--> statement-breakpoint
CREATE TABLE `drafts` (
	`post_id` text PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	`base_version` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `enrollments` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`lesson` integer DEFAULT 0 NOT NULL,
	`next_at` integer,
	`paused_at` integer,
	`stopped_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_email_unique` ON `enrollments` (`email`);
--> statement-breakpoint
CREATE INDEX `enrollments_next` ON `enrollments` (`next_at`);
--> statement-breakpoint
CREATE INDEX `enrollments_created` ON `enrollments` (`created_at`);
--> statement-breakpoint
CREATE TABLE `issues` (
	`date` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`posts` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE TABLE `redirects` (
	`slug` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `redirects_post` ON `redirects` (`post_id`);
--> statement-breakpoint
CREATE TABLE `revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`reason` text NOT NULL,
	`form` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `revisions_post` ON `revisions` (`post_id`,`created_at`);
--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `comments_created` ON `comments` (`created_at`);
--> statement-breakpoint
CREATE INDEX `outbox_created` ON `outbox` (`created_at`);
--> statement-breakpoint
CREATE INDEX `outbox_recipient` ON `outbox` (`recipient`,`created_at`);
--> statement-breakpoint
CREATE INDEX `posts_updated` ON `posts` (`updated_at`);
--> statement-breakpoint
CREATE INDEX `subscribers_created` ON `subscribers` (`created_at`);
--> statement-breakpoint
CREATE INDEX `subscribers_active` ON `subscribers` (`active`,`id`);
--> statement-breakpoint
CREATE INDEX `subscribers_source` ON `subscribers` (`source`,`created_at`);
--> statement-breakpoint
CREATE TRIGGER `audit_log_update` BEFORE UPDATE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only.');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_delete` BEFORE DELETE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only.');
END;
--> statement-breakpoint
-- The words of all articles, by which search recognizes a misspelled one. Words are only ever added: what no article has any more finds nothing.
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
CREATE INDEX `post_counts_day` ON `post_counts` (`day`,`post_id`,`views`,`shares`);
--> statement-breakpoint
CREATE INDEX `subscribers_totals` ON `subscribers` (`source`,`active`);
--> statement-breakpoint
CREATE INDEX `outbox_failed` ON `outbox` (`failed_at`) WHERE failed_at is not null;
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`) WHERE due_at is not null;
--> statement-breakpoint
CREATE TABLE `post_totals` (
	`post_id` text PRIMARY KEY NOT NULL,
	`views` integer NOT NULL,
	`shares` integer NOT NULL,
	`heat` real NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_totals_heat` ON `post_totals` (`heat`);
--> statement-breakpoint
CREATE INDEX `post_totals_shares` ON `post_totals` (`shares`);
--> statement-breakpoint
CREATE TABLE `import_items` (
	`import_id` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`key` text DEFAULT '' NOT NULL,
	`was_public` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`import_id`, `kind`, `item_id`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `import_items_item` ON `import_items` (`item_id`);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`undone_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE TABLE `content_problems` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	PRIMARY KEY(`kind`, `subject_id`)
);
--> statement-breakpoint
CREATE TABLE `term_redirects` (
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`term_id` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	PRIMARY KEY(`kind`, `slug`)
);
--> statement-breakpoint
CREATE INDEX `term_redirects_term` ON `term_redirects` (`kind`,`term_id`);
--> statement-breakpoint
CREATE TABLE `undo` (
	`token` text PRIMARY KEY NOT NULL,
	`audit_id` integer NOT NULL,
	`steps` text NOT NULL,
	`undone_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `undo_audit` ON `undo` (`audit_id`);
--> statement-breakpoint
CREATE INDEX `undo_created` ON `undo` (`created_at`);
--> statement-breakpoint
CREATE TABLE `contact_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`message_id`) REFERENCES `contact_messages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `contact_replies_message` ON `contact_replies` (`message_id`,`created_at`);
--> statement-breakpoint
CREATE TABLE `state_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`state_id` text NOT NULL,
	`version` integer NOT NULL,
	`columns` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`state_id`) REFERENCES `states`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `state_revisions_version` ON `state_revisions` (`state_id`,`version`);
--> statement-breakpoint
-- Whatever changes a state, its earlier version stays: a save, an import, an undo.
CREATE TRIGGER `states_history` AFTER UPDATE OF version ON `states` WHEN new.version > old.version BEGIN
	INSERT OR IGNORE INTO state_revisions (id, state_id, version, columns, created_at)
	VALUES (lower(hex(randomblob(16))), old.id, old.version, json_object(
		'capital', cast(old.capital AS text), 'major_cities', cast(old.major_cities AS text), 'ai_companies', cast(old.ai_companies AS text),
		'universities', cast(old.universities AS text), 'tech_hubs', cast(old.tech_hubs AS text), 'key_industries', cast(old.key_industries AS text),
		'ai_initiatives', cast(old.ai_initiatives AS text), 'research_centers', cast(old.research_centers AS text),
		'startup_ecosystem', cast(old.startup_ecosystem AS text), 'government_support', cast(old.government_support AS text),
		'answers', cast(old.answers AS text), 'description', cast(old.description AS text), 'meta_title', cast(old.meta_title AS text),
		'meta_description', cast(old.meta_description AS text), 'keywords', cast(old.keywords AS text), 'figures', cast(old.figures AS text)
	), old.updated_at);
	DELETE FROM state_revisions WHERE state_id = old.id AND version <= old.version - 100;
END;
--> statement-breakpoint
CREATE TABLE `series` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`articles` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `series_name_unique` ON `series` (`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `series_slug_unique` ON `series` (`slug`);
--> statement-breakpoint
CREATE TABLE `page_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`page_id` text NOT NULL,
	`version` integer NOT NULL,
	`columns` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_revisions_version` ON `page_revisions` (`page_id`,`version`);
--> statement-breakpoint
CREATE TABLE `pages` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`dated` text DEFAULT '' NOT NULL,
	`published` integer DEFAULT false NOT NULL,
	`footer` integer DEFAULT false NOT NULL,
	`questions` text DEFAULT '[]' NOT NULL,
	`testimonials` text DEFAULT '[]' NOT NULL,
	`offer` text DEFAULT '{}' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pages_slug_unique` ON `pages` (`slug`);
--> statement-breakpoint
-- Whatever changes a page, its earlier version stays: a save, an undo.
CREATE TRIGGER `pages_history` AFTER UPDATE OF version ON `pages` WHEN new.version > old.version BEGIN
	INSERT OR IGNORE INTO page_revisions (id, page_id, version, columns, created_at)
	VALUES (lower(hex(randomblob(16))), old.id, old.version, json_object(
		'slug', cast(old.slug AS text), 'title', cast(old.title AS text), 'description', cast(old.description AS text),
		'content', cast(old.content AS text), 'dated', cast(old.dated AS text), 'published', old.published, 'footer', old.footer,
		'questions', cast(old.questions AS text), 'testimonials', cast(old.testimonials AS text)
	), old.updated_at);
	DELETE FROM page_revisions WHERE page_id = old.id AND version <= old.version - 100;
END;
--> statement-breakpoint
-- The bytes are the last column: what stands behind them would be read through them.
CREATE TABLE "media" (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`size` integer NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`focus` text DEFAULT '50% 50%' NOT NULL,
	`digest` text NOT NULL,
	`deleted_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_digest_unique` ON `media` (`digest`);
--> statement-breakpoint
CREATE INDEX `media_created` ON `media` (`created_at`);
--> statement-breakpoint
CREATE TABLE `post_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`kind` text NOT NULL,
	`note` text NOT NULL,
	`passages` text NOT NULL,
	`title` text NOT NULL,
	`html` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_changes_post` ON `post_changes` (`post_id`,`created_at`);
--> statement-breakpoint
CREATE TABLE `authenticators` (
	`user_id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`used_step` integer NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `search_entries_digest_unique` ON `search_entries` (`digest`);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `comments_parent` ON `comments` (`parent_id`);
--> statement-breakpoint
CREATE TABLE `letters` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`preview` text DEFAULT '' NOT NULL,
	`content` text DEFAULT '' NOT NULL,
	`html` text DEFAULT '' NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`topic` text,
	`source` text,
	`due_at` integer,
	`queued_up_to` text DEFAULT '' NOT NULL,
	`recipients` integer DEFAULT 0 NOT NULL,
	`queued_at` integer,
	`paused_at` integer,
	`resumed_at` integer,
	`stopped_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
, `confirmed` integer DEFAULT false NOT NULL, `links` text DEFAULT '[]' NOT NULL, `readings` integer DEFAULT 0 NOT NULL, `comments` integer DEFAULT 0 NOT NULL, `outcome` text);
--> statement-breakpoint
CREATE INDEX `letters_open` ON `letters` (`created_at`) WHERE queued_at is null;
--> statement-breakpoint
CREATE TABLE `authors` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`picture` text DEFAULT '' NOT NULL,
	`links` text DEFAULT '[]' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `authors_name_unique` ON `authors` (`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `authors_slug_unique` ON `authors` (`slug`);
--> statement-breakpoint
CREATE TABLE `page_errors` (
	`id` text PRIMARY KEY NOT NULL,
	`message` text NOT NULL,
	`stack` text NOT NULL,
	`path` text NOT NULL,
	`browser` text NOT NULL,
	`first_version` text NOT NULL,
	`last_version` text NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_errors_last` ON `page_errors` (`last_at`);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);
--> statement-breakpoint
CREATE TABLE `spent_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `visit_sources` (
	`span` text NOT NULL,
	`at` integer NOT NULL,
	`path` text NOT NULL,
	`referrer` text NOT NULL,
	`campaign` text NOT NULL,
	`views` integer NOT NULL,
	`starts` integer NOT NULL,
	`from_referrer` integer NOT NULL,
	`from_campaign` integer NOT NULL,
	PRIMARY KEY(`span`, `at`, `path`, `referrer`, `campaign`)
);
--> statement-breakpoint
CREATE INDEX `visit_sources_path` ON `visit_sources` (`path`,`span`,`at`);
--> statement-breakpoint
CREATE INDEX `visit_sources_referrer` ON `visit_sources` (`referrer`,`span`,`at`);
--> statement-breakpoint
CREATE INDEX `visit_sources_campaign` ON `visit_sources` (`campaign`,`span`,`at`);
--> statement-breakpoint
CREATE TABLE `visit_sums` (
	`by` text NOT NULL,
	`span` text NOT NULL,
	`at` integer NOT NULL,
	`key` text NOT NULL,
	`views` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`by`, `span`, `at`, `key`)
);
--> statement-breakpoint
CREATE TABLE `visits` (
	`visitor` text NOT NULL,
	`path` text NOT NULL,
	`id` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`hour` integer NOT NULL,
	`referrer` text NOT NULL,
	`campaign` text NOT NULL,
	`starts` integer NOT NULL,
	`from_referrer` integer NOT NULL,
	`from_campaign` integer NOT NULL,
	`heading` text,
	`place` integer DEFAULT -1 NOT NULL,
	`is_bot` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`visitor`, `path`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visits_id` ON `visits` (`id`);
--> statement-breakpoint
CREATE INDEX `visits_created` ON `visits` (`created_at`);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `meanings_article` ON `meanings` (`article_id`,`basis`);
--> statement-breakpoint
CREATE UNIQUE INDEX `meanings_entry` ON `meanings` (`entry_id`,`basis`);
--> statement-breakpoint
-- An article that has changed means what it says once it is rendered again.
CREATE TRIGGER `rendered_posts_meaning` AFTER UPDATE OF digest ON `rendered_posts` WHEN new.digest = '' BEGIN
	DELETE FROM meanings WHERE article_id = new.id;
END;
--> statement-breakpoint
CREATE INDEX `subscribers_domain` ON `subscribers` (substr(`email`, instr(`email`, '@') + 1), `left_at`, `active`, `hard_bounces`);
--> statement-breakpoint
-- Full-text index over rendered_posts (external content), kept by the triggers that SQLite's FTS5 manual gives.
CREATE VIRTUAL TABLE `search_index` USING fts5(
	title, excerpt, tags, body, searched_as,
	content='rendered_posts', content_rowid='id',
	tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
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
-- What stands between spaces, hyphens and slashes, as a JSON list: the fastest splitting that SQL has. The limit keeps
-- the condition outside, where the word is computed once.
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
--> statement-breakpoint
CREATE INDEX `rendered_posts_words` ON `rendered_posts` (`post_id`,`digest`,`words`);
--> statement-breakpoint
-- A smaller index of what articles say of themselves: in the index of everything, the many articles that have a word only
-- in their text would be read to find those that have it here.
CREATE VIRTUAL TABLE `search_heads` USING fts5(
	title, excerpt, tags, searched_as,
	content='rendered_posts', content_rowid='id',
	tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
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
--> statement-breakpoint
-- A drawing is part of the pages that show it: they are rendered again when another one takes its place, or when it goes or comes back.
CREATE TRIGGER `drawings_stale` AFTER UPDATE OF id, deleted_at ON `media` WHEN new.type = 'image/svg+xml' BEGIN
	UPDATE rendered_posts SET digest = '' WHERE post_id IN (SELECT id FROM posts WHERE instr(content, '/api/media/' || new.id) > 0);
END;
--> statement-breakpoint
CREATE TABLE `post_offers` (
	`post_id` text PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sources` (
	`url` text PRIMARY KEY NOT NULL,
	`articles` text NOT NULL,
	`checked_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`said` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sources_checked` ON `sources` (`checked_at`);
--> statement-breakpoint
CREATE TABLE `changed_posts` (
	`post_id` text PRIMARY KEY NOT NULL,
	`write` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `changed_posts_write` ON `changed_posts` (`write`);
--> statement-breakpoint
-- What pages show of a post, apart from what few rows hold for all of them.
CREATE TRIGGER `posts_changed_insert` AFTER INSERT ON `posts` BEGIN
	INSERT INTO changed_posts VALUES (new.id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `posts_changed_update` AFTER UPDATE ON `posts` BEGIN
	INSERT INTO changed_posts VALUES (new.id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `posts_changed_delete` AFTER DELETE ON `posts` BEGIN
	INSERT INTO changed_posts VALUES (old.id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_changed_insert` AFTER INSERT ON `rendered_posts` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_changed_update` AFTER UPDATE OF digest, words ON `rendered_posts` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `rendered_posts_changed_delete` AFTER DELETE ON `rendered_posts` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_tags_changed_insert` AFTER INSERT ON `post_tags` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_tags_changed_update` AFTER UPDATE ON `post_tags` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_tags_changed_delete` AFTER DELETE ON `post_tags` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `comments_changed_insert` AFTER INSERT ON `comments` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `comments_changed_update` AFTER UPDATE ON `comments` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `comments_changed_delete` AFTER DELETE ON `comments` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_changes_changed_insert` AFTER INSERT ON `post_changes` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_changes_changed_update` AFTER UPDATE ON `post_changes` BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_changes_changed_delete` AFTER DELETE ON `post_changes` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_totals_changed_insert` AFTER INSERT ON `post_totals` WHEN new.shares > 0 BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_totals_changed_update` AFTER UPDATE OF shares ON `post_totals` WHEN new.shares <> old.shares BEGIN
	INSERT INTO changed_posts VALUES (new.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE TRIGGER `post_totals_changed_delete` AFTER DELETE ON `post_totals` BEGIN
	INSERT INTO changed_posts VALUES (old.post_id, (SELECT coalesce(max(write), 0) + 1 FROM changed_posts)) ON CONFLICT (post_id) DO UPDATE SET write = excluded.write;
END;
--> statement-breakpoint
CREATE INDEX `posts_featured_image` ON `posts` (`published`,`published_at`,`featured_image`,`deleted_at`,`id`) WHERE featured_image is not null;
