-- A machine in rescue, or on its way there (decision 0101). The row goes when it is left; entered_at is null until it was entered.
create table rescues (
  -- Named in the machine's definition.
  id uuid primary key,
  server_id uuid not null constraint rescues_server_once unique references servers,
  -- The one-time password.
  secret_id uuid not null references machine_secrets,
  created_at timestamptz not null,
  entered_at timestamptz
);
create index rescues_secret_idx on rescues (secret_id);

-- What an image is for: sold, or booted to repair a machine.
alter table images add column kind text not null default 'system'
  constraint images_kind_known check (kind in ('system', 'rescue'));

-- Checked in a file of its own: jobs are many.
alter table jobs drop constraint jobs_kind_known;
alter table jobs add constraint jobs_kind_known check (kind in ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword',
  'resize', 'destroy', 'redefine', 'snapshot', 'revert', 'deleteSnapshot', 'enterRescue', 'leaveRescue')) not valid;

alter table findings drop constraint findings_kind_known;
alter table findings add constraint findings_kind_known check (kind in (
  'stray-domain',
  'stray-volume',
  'missing-domain',
  'changed-domain',
  'changed-disk',
  'changed-snapshots',
  'changed-rescue',
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
