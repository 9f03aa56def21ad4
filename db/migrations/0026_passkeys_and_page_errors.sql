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
CREATE INDEX `page_errors_last` ON `page_errors` (`last_at`);--> statement-breakpoint
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
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `spent_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
