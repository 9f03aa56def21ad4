CREATE TABLE `post_offers` (
	`post_id` text PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
