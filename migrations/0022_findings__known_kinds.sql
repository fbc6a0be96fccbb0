-- Which findings there are is a list again, as everything else that is one of a few: rows then say what they are. The kind
-- `other` of the first releases was never written.
delete from findings where kind = 'other';
alter table findings drop constraint findings_kind_format;
alter table findings add constraint findings_kind_known check (kind in (
  'stray-domain',
  'stray-volume',
  'missing-domain',
  'changed-domain',
  'changed-disk',
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
