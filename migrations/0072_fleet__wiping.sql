-- Of a machine that was destroyed only what its host still writes over is left, as its last inventory said: its place waits, and nothing is
-- asked of the host meanwhile, which may take hours (decision 0112).
alter table placements add column wiping boolean not null default false;
