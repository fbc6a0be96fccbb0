-- Whether a guest made anew has an added address by its seed (decision 0110). With which upgrade it came stays known: before, it may
-- have been another's (decision 0119), and a guest that is taken back to a backup from before has it no more.
alter table addresses add column in_seed boolean not null default false;
