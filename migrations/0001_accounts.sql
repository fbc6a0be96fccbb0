-- Accounts, sessions, rate limits, idempotency keys and the audit log.

create table users (
  id uuid primary key,
  username text not null check (username ~ '^[A-Za-z0-9_]{3,20}$'),
  email text not null check (length(email) <= 200),
  password_hash text not null,
  role text not null default 'USER' check (role in ('USER', 'ADMIN')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));
create index users_created_at_idx on users (created_at desc, id desc);

-- Opaque 256-bit tokens; only their SHA-256 is kept. No expiry, revocable (decisions, "Access").
create table sessions (
  id uuid primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_id uuid not null references users,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  address inet,
  user_agent text check (length(user_agent) <= 300),
  revoked_at timestamptz
);
create index sessions_user_idx on sessions (user_id) where revoked_at is null;

-- Counters of a window per thing that is limited; every call counts. Kept here so that they hold across processes.
create table rate_limits (
  key text not null,
  window_start timestamptz not null,
  window_end timestamptz not null,
  calls integer not null check (calls > 0),
  primary key (key, window_start)
);
create index rate_limits_end_idx on rate_limits (window_end);

-- A caller's key, the hash of its input and the id of what was made; never the reply. Kept 24 h.
create table idempotency_keys (
  user_id uuid not null references users,
  key text not null check (length(key) between 1 and 200),
  call text not null,
  input_hash bytea not null,
  made_id uuid not null,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_created_idx on idempotency_keys (created_at);

create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  actor_id uuid references users,
  actor_kind text not null check (actor_kind in ('user', 'admin', 'agent', 'timer', 'gateway', 'command')),
  action text not null,
  subject_kind text not null,
  subject_id text,
  details jsonb not null default '{}',
  address inet
);
create index audit_log_at_idx on audit_log (at desc, id desc);
create index audit_log_actor_idx on audit_log (actor_id, at desc);
create index audit_log_subject_idx on audit_log (subject_kind, subject_id, at desc);
