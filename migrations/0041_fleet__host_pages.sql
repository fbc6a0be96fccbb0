-- A host's page: what left it of late, and what was found on it, newest first; beside it, what was found at all.
create index placements_freed_idx on placements (host_id, freed_at) where state = 'freed';
create index findings_host_idx on findings (host_id, first_seen_at desc, id desc);
create index findings_all_idx on findings (first_seen_at desc, id desc);
