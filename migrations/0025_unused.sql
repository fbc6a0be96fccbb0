-- What nobody reads. These were read last by versions before the one that this runs beside (0016, decision 0037).
alter table hosts drop column vlan, drop column past_instances;
alter table ip_pools drop column vlan;

-- Processes of the version before write it still.
comment on column servers.ssh_latency_ms is 'unused since 0025';

-- Acts that no agent ever knew; they come back with whoever does them. Checked in a file of its own: jobs are many.
alter table jobs drop constraint jobs_kind_known;
alter table jobs add constraint jobs_kind_known check (kind in
  ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword', 'resize', 'destroy', 'redefine')) not valid;
