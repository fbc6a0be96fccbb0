-- An address of a dedicated server is no machine's: kept back from now on as either is entered.
update addresses set reserved = true where placement_id is null and not reserved and address in (select ip from dedicated_servers);
