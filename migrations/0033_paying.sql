-- What an order's move and a look for a free address cost (decision 0071).

-- As `language sql` it was written into the trigger's condition, and parsed there, at every update of an order. The moves are as before.
create or replace function order_may_move(from_status text, to_status text) returns boolean immutable language plpgsql as $$
begin
  return (from_status, to_status) in (
    ('PENDING', 'PAID'), ('PENDING', 'CANCELLED'),
    ('PAID', 'PROCESSING'), ('PAID', 'CANCELLED'),
    ('PROCESSING', 'ACTIVE'), ('PROCESSING', 'CANCELLED'),
    ('ACTIVE', 'ACTIVE'), ('ACTIVE', 'SUSPENDED'), ('ACTIVE', 'CANCELLED'),
    ('SUSPENDED', 'ACTIVE'), ('SUSPENDED', 'EXPIRED'), ('SUSPENDED', 'CANCELLED'));
end $$;

-- The longest free address stands first in its index, behind all that were taken since the last vacuum: each look walks past those. By
-- default that is a fifth of all addresses, and few dead rows are left in the indexes.
alter table addresses set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_index_cleanup = on);
