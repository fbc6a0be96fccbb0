-- What a machine's owner lets in and out, as saved last (decision 0102). A row goes with its machine.
create table firewalls (
  server_id uuid primary key references servers,
  revision integer not null constraint firewalls_revision_positive check (revision >= 1),
  -- The whole set, as `shared/firewall.contract.ts` says.
  firewall jsonb not null,
  -- The last one that its host has; null before the first.
  applied_revision integer constraint firewalls_applied_known check (applied_revision between 1 and revision),
  updated_at timestamptz not null
);

-- Checked in a file of its own: jobs are many.
alter table jobs drop constraint jobs_kind_known;
alter table jobs add constraint jobs_kind_known check (kind in ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword',
  'resize', 'destroy', 'redefine', 'snapshot', 'revert', 'deleteSnapshot', 'enterRescue', 'leaveRescue', 'applyFirewall')) not valid;

alter table findings drop constraint findings_kind_known;
alter table findings add constraint findings_kind_known check (kind in (
  'stray-domain',
  'stray-volume',
  'missing-domain',
  'changed-domain',
  'changed-disk',
  'changed-snapshots',
  'changed-rescue',
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
  'unreadable-secret'
));
