-- Which findings there are is said in code (fleet/findings.ts); here only what a kind looks like.
alter table findings drop constraint findings_kind_check;
alter table findings add constraint findings_kind_check check (kind ~ '^[a-z]+(-[a-z]+)*$' and length(kind) <= 40);
