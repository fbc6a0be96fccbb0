-- A second payment under one number, and one of another amount, are told to an operator (decision 0114).
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
  'paid-twice',
  'mismatched-payment',
  'brake',
  'wrong-clock',
  'unreadable-secret',
  'late-backup',
  'unchecked-backup',
  'damaged-backup'
));

-- What was noted before there was such a finding.
insert into findings (id, host_id, kind, subject, details, first_seen_at, last_seen_at)
select gen_random_uuid(), null, 'paid-twice', p.out_trade_no || '/' || t.trade_no,
  jsonb_build_object('amountFen', p.money_fen), t.seen_at, t.seen_at
from payment_trades t join payments p on p.id = t.payment_id where t.overpaid;
