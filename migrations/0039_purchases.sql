-- Orders that were placed together are paid together: the id of their purchase, null where an order was placed alone (decision 0084).
alter table orders add column purchase_id uuid;
