-- A server goes from one living host to another with its data (decision 0131).

-- Counted on its host, and not where its server is: the place it goes to, then the one it came from.
alter table placements drop constraint placements_state_known;
alter table placements add constraint placements_state_known
  check (state in ('held', 'standby', 'releasing', 'freed')) not valid;

create table cold_migrations (
  id uuid constraint cold_migrations_pkey primary key,
  server_id uuid not null constraint cold_migrations_server_fkey references servers,
  from_id uuid not null constraint cold_migrations_from_fkey references placements,
  to_id uuid not null constraint cold_migrations_to_fkey references placements,
  stage text not null constraint cold_migrations_stage_known
    check (stage in ('STOPPING', 'SAVING', 'RESTORING', 'RETURNING', 'DONE', 'FAILED')),
  -- What its stage waits for.
  job_id uuid not null constraint cold_migrations_job_fkey references jobs,
  -- Its owner had turned it off.
  stays_off boolean not null,
  reason text,
  asked_by uuid not null constraint cold_migrations_asked_by_fkey references users,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint cold_migrations_two_places check (from_id <> to_id),
  constraint cold_migrations_ended_when_over check ((ended_at is not null) = (stage in ('DONE', 'FAILED'))),
  constraint cold_migrations_reason_of_failure check ((reason is not null) = (stage in ('RETURNING', 'FAILED')))
);
create unique index cold_migrations_open_key on cold_migrations (server_id) where ended_at is null;
create index cold_migrations_server_idx on cold_migrations (server_id, created_at desc);
create index cold_migrations_from_idx on cold_migrations (from_id);
create index cold_migrations_to_idx on cold_migrations (to_id);
create index cold_migrations_job_idx on cold_migrations (job_id);

-- Takes the disk along; none of its owner's.
alter table backups add column cold_migration_id uuid
  constraint backups_cold_migration_fkey references cold_migrations;
create index backups_cold_migration_idx on backups (cold_migration_id) where cold_migration_id is not null;
