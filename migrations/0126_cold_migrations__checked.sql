alter table placements validate constraint placements_state_known;
