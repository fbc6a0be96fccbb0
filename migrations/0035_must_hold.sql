-- What a statement must find, said by the statement itself, so that it can be sent with the commit (decision 0074).

create function must_hold(holds boolean, name text) returns void language plpgsql as $$
begin
  if not holds then
    raise exception '% does not hold', name using errcode = 'integrity_constraint_violation', constraint = name;
  end if;
end $$;
