-- An act of its own: the definition of a machine made again over the disk that has survived.
alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in
  ('install', 'reinstall', 'start', 'stop', 'restart', 'resetPassword', 'resize', 'destroy', 'redefine', 'snapshot', 'revert', 'rescue'));
