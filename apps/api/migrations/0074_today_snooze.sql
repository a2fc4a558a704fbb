-- Look-up table: what a person or program does not want to see on Today for a while: docs/operator-api.md, Today
create table today_snooze (
  -- As the audit trail names it.
  actor        text not null,
  reseller_id  integer not null references reseller (id) on delete cascade,
  kind         text not null,
  need_id      text not null,
  -- What it said then: once it says otherwise it is shown again.
  state        text not null,
  until        timestamptz not null,
  created_at   timestamptz not null,
  primary key (actor, reseller_id, kind, need_id),
  check (until > created_at)
);
create index on today_snooze (reseller_id);
create index on today_snooze (until);
