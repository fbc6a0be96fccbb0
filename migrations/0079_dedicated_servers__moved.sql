-- Since when a dedicated server is at its address; null: since it was entered. Who had an earlier one stands in past_addresses (decision 0119).
alter table dedicated_servers add column ip_since timestamptz;
