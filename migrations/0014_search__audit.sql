-- By kind of act ('order' of 'order.pay'), newest first.
create index audit_log_kind_idx on audit_log (split_part(action, '.', 1), at desc, id desc);
