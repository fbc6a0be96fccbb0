alter table jobs validate constraint jobs_kind_known;
