-- An agent whose STATE_DIR cannot be written.
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
  'no-port-forwarding',
  'shrunk-host',
  'many-differences',
  'libvirt-away',
  'network-away',
  'state-away',
  'hung-domain',
  'crashed-domain',
  'paused-domain',
  'io-error-domain',
  'disk-full-domain',
  'second-agent',
  'unbootable-image',
  'vlan-removed',
  'paid-twice',
  'mismatched-payment',
  'brake',
  'wrong-clock',
  'unreadable-secret',
  'late-backup',
  'unchecked-backup',
  'damaged-backup'
));

-- Addresses that nobody has by these rows, but a machine on this host by its definition: after a restored back-up, for one. Reserved
-- as long as it is there.
alter table addresses
  add column held_on uuid references hosts (id),
  add constraint addresses_held_is_reserved check (held_on is null or reserved);
create index addresses_held_idx on addresses (held_on) where held_on is not null;
