-- Images that hosts fetch by themselves, and that an operator can take away again.

-- Few rows, so that the new checks are made at once.
alter table images
  add column url text check (url ~* '^https?://' and length(url) <= 2000),
  add column version integer not null default 1,
  -- An ended order and a released server still name the image they were made from: the row stays, what it occupied is free.
  add column deleted_at timestamptz,
  -- Only a checksum tells a whole and honest download from another.
  add constraint images_url_sha256_check check (url is null or sha256 is not null),
  add constraint images_deleted_check check (deleted_at is null or not is_active);

alter table images drop constraint images_file_key;
create unique index images_file_key on images (file) where deleted_at is null;

-- What the host's agent told last about the images that it is fetching.
alter table hosts add column transfers jsonb not null default '[]';
