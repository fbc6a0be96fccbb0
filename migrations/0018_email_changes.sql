-- A changed e-mail can be taken back by its old address for 72 hours, and is confirmed by its new one (decision 0025).
create table email_changes (
  id uuid primary key,
  user_id uuid not null references users,
  old_email text not null,
  new_email text not null,
  take_back_hash bytea not null unique,
  confirm_hash bytea not null unique,
  changed_at timestamptz not null,
  confirmed_at timestamptz,
  taken_back_at timestamptz
);
create index email_changes_user_idx on email_changes (user_id, changed_at);
-- Nobody else takes an address that its owner may still take back.
create index email_changes_old_email_idx on email_changes (lower(old_email)) where taken_back_at is null;
