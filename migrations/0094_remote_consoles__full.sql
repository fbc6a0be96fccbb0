-- A host whose places for screens and serial lines are taken says so.
alter table remote_consoles drop constraint remote_consoles_end_known;
alter table remote_consoles add constraint remote_consoles_end_known check (ended_why in ('expired', 'replaced', 'over', 'revoked',
  'unreachable', 'off', 'machine', 'restarted', 'full', 'left'));
