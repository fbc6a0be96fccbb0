-- Who saw a machine's screen or serial line, when and from where; never what passed.
create table remote_consoles (
  id uuid primary key,
  server_id uuid not null references servers,
  host_id uuid not null references hosts,
  kind text not null constraint remote_consoles_kind_known check (kind in ('screen', 'serial')),
  user_id uuid not null references users,
  session_id uuid not null references sessions,
  ticket_hash bytea not null constraint remote_consoles_ticket_unique unique,
  created_at timestamptz not null,
  -- Once the browser came: to the process that can be reached at this address.
  opened_at timestamptz,
  address inet,
  relay_address text,
  -- Given to the host, which shows it when it comes.
  secret_hash bytea,
  handed_at timestamptz,
  met_at timestamptz,
  ended_at timestamptz,
  ended_why text constraint remote_consoles_end_known check (ended_why in ('expired', 'replaced', 'over', 'revoked',
    'unreachable', 'off', 'machine', 'restarted', 'left')),
  constraint remote_consoles_ended_for_a_reason check ((ended_at is null) = (ended_why is null))
);
-- One viewer of each.
create unique index remote_consoles_open_key on remote_consoles (server_id, kind) where opened_at is not null and ended_at is null;
create index remote_consoles_host_idx on remote_consoles (host_id) where opened_at is not null and handed_at is null and ended_at is null;
create index remote_consoles_age_idx on remote_consoles (created_at);
