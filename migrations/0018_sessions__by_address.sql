-- Whether somebody signs in from where the account was signed in to before.
create index sessions_address_idx on sessions (user_id, address);
