create index jobs_secret_idx on jobs (secret_id) where secret_id is not null;
create index jobs_outlived_secret_idx on jobs (finished_at) where secret_id is not null and finished_at is not null;
