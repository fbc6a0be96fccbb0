-- After a restored back-up: what a host has may have been sold since, so that addresses of its pools wait until it has told.
alter table hosts add column has_to_tell boolean not null default false;
