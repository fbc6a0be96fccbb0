-- Reverse names of machines' addresses, and the name server that they are written to (decision 0109).

-- One row, or none where the operator has no name server.
create table reverse_dns (
  id integer primary key default 1 constraint reverse_dns_single check (id = 1),
  -- Of PowerDNS's HTTP API.
  url text not null constraint reverse_dns_url_length check (length(url) between 1 and 500),
  -- Its key.
  secret_id uuid not null references machine_secrets,
  zones text[] not null constraint reverse_dns_zones_range check (cardinality(zones) between 1 and 100),
  -- Whether a name is taken only where it leads to the address.
  must_resolve boolean not null,
  version integer not null,
  saved_by uuid not null references users,
  saved_at timestamptz not null
);
create index reverse_dns_secret_idx on reverse_dns (secret_id);

-- What each address is to be called, and what was written last. A row goes once its name is removed.
create table reverse_names (
  address inet primary key,
  -- Whose name it is; null: of nobody any more, to be removed.
  placement_id uuid references placements,
  -- Null: none.
  wanted text constraint reverse_names_wanted_length check (length(wanted) between 1 and 253),
  written text constraint reverse_names_written_length check (length(written) between 1 and 253),
  -- Counts what was wanted: a write that ends late says nothing about a newer one.
  revision integer not null default 1,
  -- When it is to be written; null: it is.
  due_at timestamptz,
  -- By whoever writes it just now.
  leased_until timestamptz,
  attempts integer not null default 0 constraint reverse_names_attempts_not_negative check (attempts >= 0),
  error text,
  updated_at timestamptz not null,
  constraint reverse_names_nobodys_is_none check (placement_id is not null or wanted is null)
);
create index reverse_names_due_idx on reverse_names (due_at) where due_at is not null;
create index reverse_names_placement_idx on reverse_names (placement_id) where placement_id is not null;
