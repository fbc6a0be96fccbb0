-- A server goes from one living host to another with its data (decision 0131).

-- Counted on its host, and not where its server is: the place it goes to, then the one it came from.
alter table placements drop constraint placements_state_known;
alter table placements add constraint placements_state_known
  check (state in ('held', 'standby', 'releasing', 'freed')) not valid;

create table cold_migrations (
  id uuid constraint cold_migrations_pkey primary key,
  server_id uuid not null constraint cold_migrations_server_fkey references servers,
  from_host_id uuid not null constraint cold_migrations_from_host_fkey references hosts,
  -- Asked for; null: the best that has room.
  to_host_id uuid constraint cold_migrations_to_host_fkey references hosts,
  stage text not null constraint cold_migrations_stage_known
    check (stage in ('WAITING', 'STOPPING', 'SAVING', 'RESTORING', 'RETURNING', 'DONE', 'FAILED')),
  -- From when it is turned off.
  from_id uuid constraint cold_migrations_from_fkey references placements,
  to_id uuid constraint cold_migrations_to_fkey references placements,
  -- What its stage waits for.
  job_id uuid constraint cold_migrations_job_fkey references jobs,
  -- Its owner had turned it off.
  stays_off boolean not null default false,
  reason text,
  asked_by uuid not null constraint cold_migrations_asked_by_fkey references users,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint cold_migrations_two_places check (from_id <> to_id),
  constraint cold_migrations_whole_when_begun check (stage in ('WAITING', 'FAILED') or num_nulls(from_id, to_id, job_id, to_host_id) = 0),
  constraint cold_migrations_ended_when_over check ((ended_at is not null) = (stage in ('DONE', 'FAILED'))),
  constraint cold_migrations_reason_of_failure check ((reason is not null) = (stage in ('RETURNING', 'FAILED')))
);
create unique index cold_migrations_open_key on cold_migrations (server_id) where ended_at is null;
-- One after another from each host: none is off while others are copied.
create unique index cold_migrations_begun_key on cold_migrations (from_host_id)
  where stage in ('STOPPING', 'SAVING', 'RESTORING');
create index cold_migrations_waiting_idx on cold_migrations (from_host_id, created_at, id) where stage = 'WAITING';
create index cold_migrations_server_idx on cold_migrations (server_id, created_at desc);
create index cold_migrations_from_idx on cold_migrations (from_id);
create index cold_migrations_to_idx on cold_migrations (to_id);
create index cold_migrations_job_idx on cold_migrations (job_id);

-- Takes the disk along; none of its owner's.
alter table backups add column cold_migration_id uuid
  constraint backups_cold_migration_fkey references cold_migrations;
create index backups_cold_migration_idx on backups (cold_migration_id) where cold_migration_id is not null;
