-- Passwords that machines were entered with and got rid of since: nothing has ever deleted them.
delete from machine_secrets m
  where not exists (select from jobs where secret_id = m.id)
    and not exists (select from servers where secret_id = m.id)
    and not exists (select from servers where locked_secret_id = m.id)
    and not exists (select from orders where initial_secret_id = m.id);
