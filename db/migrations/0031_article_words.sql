ALTER TABLE `rendered_posts` ADD `words` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `rendered_posts_words` ON `rendered_posts` (`post_id`,`digest`,`words`);--> statement-breakpoint
UPDATE `rendered_posts` SET `words` = (`body` <> '') + length(`body`) - length(replace(replace(`body`, ' ', ''), char(10), ''));
