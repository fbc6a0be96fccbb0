-- What the shop says of itself: every version is kept, the newest counts. Its number is the key, so that of two saves of one
-- version the later is refused.
create table site_settings (
  version integer primary key constraint site_settings_version_counts check (version > 0),
  settings jsonb not null,
  saved_by uuid not null references users,
  saved_at timestamptz not null
);
