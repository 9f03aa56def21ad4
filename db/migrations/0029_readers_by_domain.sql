CREATE INDEX `subscribers_domain` ON `subscribers` (substr(`email`, instr(`email`, '@') + 1), `left_at`, `active`, `hard_bounces`);
