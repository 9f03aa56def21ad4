DROP INDEX `rendered_posts_words`;--> statement-breakpoint
ALTER TABLE `rendered_posts` ADD `cover` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `rendered_posts_words` ON `rendered_posts` (`post_id`,`digest`,`words`,`marks`,`cover`);