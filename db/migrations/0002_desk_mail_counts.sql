CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_created` ON `audit_log` (`created_at`);--> statement-breakpoint
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
CREATE INDEX `builds_requested` ON `builds` (`requested_at`);--> statement-breakpoint
CREATE TABLE `counted_visits` (
	`key` text PRIMARY KEY NOT NULL,
	`day` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `counted_visits_day` ON `counted_visits` (`day`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `enrollments_email_unique` ON `enrollments` (`email`);--> statement-breakpoint
CREATE INDEX `enrollments_next` ON `enrollments` (`next_at`);--> statement-breakpoint
CREATE INDEX `enrollments_created` ON `enrollments` (`created_at`);--> statement-breakpoint
CREATE TABLE `issues` (
	`date` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`posts` text NOT NULL,
	`queued_up_to` text DEFAULT '' NOT NULL,
	`recipients` integer DEFAULT 0 NOT NULL,
	`queued_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`size` integer NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_digest_unique` ON `media` (`digest`);--> statement-breakpoint
CREATE INDEX `media_created` ON `media` (`created_at`);--> statement-breakpoint
CREATE TABLE `redirects` (
	`slug` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `redirects_post` ON `redirects` (`post_id`);--> statement-breakpoint
CREATE TABLE `revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`reason` text NOT NULL,
	`form` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `revisions_post` ON `revisions` (`post_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
ALTER TABLE `comments` ADD `reviewed_at` integer;--> statement-breakpoint
CREATE INDEX `comments_created` ON `comments` (`created_at`);--> statement-breakpoint
ALTER TABLE `outbox` ADD `recipient` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `failed_at` integer;--> statement-breakpoint
CREATE INDEX `outbox_created` ON `outbox` (`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_recipient` ON `outbox` (`recipient`,`created_at`);--> statement-breakpoint
ALTER TABLE `posts` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `posts_updated` ON `posts` (`updated_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `user_agent` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `name` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `last_name` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `paused_until` integer;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `left_at` integer;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `hard_bounces` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_created` ON `subscribers` (`created_at`);--> statement-breakpoint
CREATE INDEX `subscribers_active` ON `subscribers` (`active`,`id`);--> statement-breakpoint
CREATE INDEX `subscribers_source` ON `subscribers` (`source`,`created_at`);--> statement-breakpoint
CREATE TRIGGER `audit_log_update` BEFORE UPDATE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only.');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_delete` BEFORE DELETE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'The audit log is append-only.');
END;
