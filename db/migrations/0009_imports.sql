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
CREATE INDEX `import_items_item` ON `import_items` (`item_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`undone_at` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
);
