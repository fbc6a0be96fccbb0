-- Operators search in everybody's records: trigrams find a part of a text in an index. The extension is
-- a trusted one: whoever may create in the database may add it.
create extension if not exists pg_trgm;
create index users_search_idx on users using gin (username gin_trgm_ops, email gin_trgm_ops);
