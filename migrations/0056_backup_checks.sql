-- Where backups are kept is tested when its operator asks, and each server's are checked each week (decision 0107).

-- The last test of these settings: by which host, and what came of it.
alter table backup_repositories
  add column test_id uuid,
  add column test_host_id uuid references hosts,
  add column test_asked_at timestamptz,
  add column test_handed_at timestamptz,
  add column tested_at timestamptz,
  -- Null: it works.
  add column test_problem text constraint backup_repositories_test_problem_known check (test_problem in
    ('unreachable', 'login', 'password', 'permission', 'space', 'damaged', 'unanswered', 'other')),
  add column test_detail text not null default ''
    constraint backup_repositories_test_detail_length check (length(test_detail) <= 1000),
  add constraint backup_repositories_test_whole check ((test_id is null) = (test_host_id is null)
    and (test_id is null) = (test_asked_at is null) and (test_id is not null or tested_at is null));
create index backup_repositories_test_host_idx on backup_repositories (test_host_id) where test_host_id is not null;

-- Of what one server has in one repository: when it is checked next, and what the last check found.
create table backup_checks (
  server_id uuid not null references servers,
  repository_id uuid not null references backup_repositories,
  -- Read last, of `checkParts`; 0: none yet.
  part integer not null default 0 constraint backup_checks_part_not_negative check (part >= 0),
  next_at timestamptz not null,
  -- Without one until then, an operator is told.
  late_at timestamptz not null,
  checked_at timestamptz,
  is_whole boolean,
  detail text not null default '' constraint backup_checks_detail_length check (length(detail) <= 1000),
  primary key (server_id, repository_id),
  constraint backup_checks_whole_when_checked check ((checked_at is null) = (is_whole is null))
);
create index backup_checks_next_idx on backup_checks (next_at);
create index backup_checks_late_idx on backup_checks (late_at);
create index backup_checks_repository_idx on backup_checks (repository_id);

-- What is there already: spread over its first week by its server's id.
insert into backup_checks (server_id, repository_id, next_at, late_at)
select server_id, repository_id,
  now() + make_interval(secs => ('x' || right(server_id::text, 8))::bit(32)::bigint % 604800), now() + interval '14 days'
from backups where made_at is not null and forget_at is null group by server_id, repository_id;

alter table jobs drop constraint jobs_kind_known;
alter table jobs add constraint jobs_kind_known check (kind in ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword',
  'resize', 'destroy', 'redefine', 'snapshot', 'revert', 'deleteSnapshot', 'enterRescue', 'leaveRescue', 'applyFirewall',
  'backup', 'restore', 'deleteBackup', 'insertIso', 'ejectIso', 'checkBackups')) not valid;

alter table findings drop constraint findings_kind_known;
alter table findings add constraint findings_kind_known check (kind in (
  'stray-domain',
  'stray-volume',
  'missing-domain',
  'changed-domain',
  'changed-disk',
  'changed-snapshots',
  'changed-rescue',
  'changed-iso',
  'changed-firewall',
  'changed-autostart',
  'transient-domain',
  'foreign-domain',
  'broken-image',
  'unreadable-domain',
  'changed-base',
  'unguarded-domain',
  'no-address-guard',
  'no-bandwidth-limit',
  'shrunk-host',
  'many-differences',
  'libvirt-away',
  'network-away',
  'hung-domain',
  'crashed-domain',
  'paused-domain',
  'io-error-domain',
  'disk-full-domain',
  'second-agent',
  'unbootable-image',
  'vlan-removed',
  'brake',
  'wrong-clock',
  'unreadable-secret',
  'late-backup',
  'unchecked-backup',
  'damaged-backup'
));
