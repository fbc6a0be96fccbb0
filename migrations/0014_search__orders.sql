create index orders_search_idx on orders using gin (number gin_trgm_ops);
