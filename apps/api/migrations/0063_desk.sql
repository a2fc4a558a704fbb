-- What the page Today asks: docs/adr/0085-today.md.
create index attempt_open_of_reseller on attempt (reseller_id, state, sent_at) where is_open;
create index capture_lost on capture (gateway_account_id) where lost_minor > lost_seen_minor;
create index capture_of_account on capture (gateway_account_id, at) include (currency, amount_minor);
create index reversal_by_time on reversal (at);

-- Look-up table: how the background rounds of all processes fare, by name.
create table background_round (
  name       text primary key,
  every_ms   integer not null,
  ok_at      timestamptz,
  failed_at  timestamptz,
  -- What the last one that failed said.
  problem    text,
  -- A person wants it now: the process that sees it first takes it.
  wanted_at  timestamptz
);
