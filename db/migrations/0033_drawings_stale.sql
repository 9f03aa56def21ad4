-- A drawing is part of the pages that show it: they are rendered again when another one takes its place, or when it goes or comes back.
CREATE TRIGGER `drawings_stale` AFTER UPDATE OF id, deleted_at ON `media` WHEN new.type = 'image/svg+xml' BEGIN
	UPDATE rendered_posts SET digest = '' WHERE post_id IN (SELECT id FROM posts WHERE instr(content, '/api/media/' || new.id) > 0);
END;
