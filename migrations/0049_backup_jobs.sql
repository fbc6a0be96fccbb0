-- A copy of a machine's disk elsewhere: made, brought back and forgotten by its host's agent (decision 0103). Checked in a
-- file of its own: jobs are many.
alter table jobs drop constraint jobs_kind_known;
alter table jobs add constraint jobs_kind_known check (kind in ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword',
  'resize', 'destroy', 'redefine', 'snapshot', 'revert', 'deleteSnapshot', 'enterRescue', 'leaveRescue', 'applyFirewall',
  'backup', 'restore', 'deleteBackup')) not valid;
