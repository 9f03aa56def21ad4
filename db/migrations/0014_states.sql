CREATE TABLE `state_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`state_id` text NOT NULL,
	`version` integer NOT NULL,
	`columns` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`state_id`) REFERENCES `states`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `state_revisions_version` ON `state_revisions` (`state_id`,`version`);--> statement-breakpoint
ALTER TABLE `states` ADD `offer` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `states` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
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
