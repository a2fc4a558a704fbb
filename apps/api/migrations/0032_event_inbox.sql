-- A delivery is written to the inbox whole and answered; each event is followed up from there, by itself.
alter table inbox
  -- Its place in the delivery: those of one payment begin in their order.
  add column position      integer not null default 0,
  -- What is needed to follow it up, encrypted: some names in it can be charged. Dropped once it is followed.
  add column event_sealed  bytea,
  add column trust         text check (trust in ('signed', 'hint')),
  add column tries         integer not null default 0,
  add column next_try_at   timestamptz,
  -- Until then one process is at it.
  add column leased_until  timestamptz,
  add column is_open       boolean not null generated always as (next_try_at is not null) stored,
  add check (next_try_at is null or (handled_at is null and event_sealed is not null and trust is not null));
create index inbox_to_follow on inbox (gateway_account_id, next_try_at) where is_open;
create index inbox_for_a_person on inbox (handled_at) where outcome like 'person: %';
