CREATE TABLE `page_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`page_id` text NOT NULL,
	`version` integer NOT NULL,
	`columns` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_revisions_version` ON `page_revisions` (`page_id`,`version`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `pages_slug_unique` ON `pages` (`slug`);--> statement-breakpoint
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
