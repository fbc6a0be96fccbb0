-- Words by which a customer finds and groups their servers.
alter table orders add column labels text[] not null default '{}'
  constraint orders_labels_few check (cardinality(labels) <= 5 and array_position(labels, null) is null);
