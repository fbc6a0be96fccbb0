alter table findings validate constraint findings_kind_known;
