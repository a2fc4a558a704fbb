-- What a person is shown of an event that a gateway sent, and by which it is named in the operator API.
alter table inbox
  add column id       uuid not null default gen_random_uuid(),
  add column about    text,
  -- What it names at the gateway; of a saved method never, for some names of these can be charged.
  add column remote   text,
  -- Why it could not be followed up the last time.
  add column problem  text;
create unique index inbox_by_id on inbox (id);
create index inbox_of_account on inbox (gateway_account_id, received_at desc, id desc);
create index inbox_open_of_account on inbox (gateway_account_id, received_at desc, id desc) where is_open;
create index inbox_person_of_account on inbox (gateway_account_id, received_at desc, id desc)
  where outcome like 'person: %';
