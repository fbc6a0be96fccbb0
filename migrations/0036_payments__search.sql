-- Operators look through everybody's payments: by number here and at the gateway, by state, by method, by time.
create index payments_search_idx on payments using gin (out_trade_no gin_trgm_ops, trade_no gin_trgm_ops);
create index payments_created_idx on payments (created_at desc, id desc);
create index payments_status_idx on payments (status, created_at desc, id desc);
create index payments_method_idx on payments (method, created_at desc, id desc);
