-- A disc of the library in a machine's drive, or on its way there (decision 0105). The row goes when it is out.
create table inserted_isos (
  -- Named in the machine's definition.
  id uuid primary key,
  server_id uuid not null constraint inserted_isos_server_once unique references servers,
  image_id uuid not null references images,
  -- Before the machine's disk.
  boots boolean not null,
  created_at timestamptz not null,
  -- Null until it was put in.
  inserted_at timestamptz,
  -- When it is taken out by itself, or that is tried again.
  eject_at timestamptz,
  constraint inserted_isos_ejected_after_insertion check ((inserted_at is null) = (eject_at is null) and eject_at > inserted_at)
);
create index inserted_isos_due_idx on inserted_isos (eject_at) where eject_at is not null;
create index inserted_isos_image_idx on inserted_isos (image_id);

-- The last start from a disc since its system was ours: its owner may have installed another, with a login of their own.
alter table servers add column iso_booted_at timestamptz;

alter table images drop constraint images_kind_known;
alter table images add constraint images_kind_known check (kind in ('system', 'rescue', 'iso'));
alter table images add constraint images_iso_is_disc check ((kind = 'iso') = (file like '%.iso'));

-- Checked in a file of its own: jobs are many.
alter table jobs drop constraint jobs_kind_known;
alter table jobs add constraint jobs_kind_known check (kind in ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword',
  'resize', 'destroy', 'redefine', 'snapshot', 'revert', 'deleteSnapshot', 'enterRescue', 'leaveRescue', 'applyFirewall',
  'backup', 'restore', 'deleteBackup', 'insertIso', 'ejectIso')) not valid;

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
  'unreadable-secret'
));
