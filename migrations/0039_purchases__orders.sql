create index orders_purchase_idx on orders (purchase_id) where purchase_id is not null;
