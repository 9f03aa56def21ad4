CREATE TABLE `path_redirects` (
	`path` text PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
--> statement-breakpoint
CREATE TABLE `redirect_hits` (
	`path` text PRIMARY KEY NOT NULL,
	`hits` integer NOT NULL,
	`last_at` integer NOT NULL
);
