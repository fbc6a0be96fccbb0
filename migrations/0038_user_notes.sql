-- What staff wrote down about a customer: only added to.
create table user_notes (
  id uuid primary key,
  user_id uuid not null references users,
  author_id uuid not null references users,
  body text not null constraint user_notes_body_length check (length(body) between 1 and 2000),
  created_at timestamptz not null
);
create index user_notes_user_idx on user_notes (user_id, created_at desc, id desc);

create trigger user_notes_is_final before update or delete on user_notes
  for each row execute function refuse_change('rows are never changed or removed');
create trigger user_notes_is_not_truncated before truncate on user_notes
  for each statement execute function refuse_change('rows are never removed');
