-- Look-up table: codes that let support act in a user's name, once. Only the hash of a code is kept.
create table login_code (
  hash         bytea primary key,
  user_id      uuid not null references app_user (id) on delete cascade,
  -- The customer support wants to see first; any of the user's may be chosen afterwards.
  customer_id  uuid,
  actor        text not null check (actor <> ''),
  reason       text not null check (reason <> ''),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  check (expires_at > created_at and expires_at <= created_at + interval '5 minutes')
);
create index on login_code (user_id);

-- An end that no renewal moves: support does not stay in somebody's account.
alter table user_session add column ends_at timestamptz;

-- The trail is asked by account (also of a user who is gone), by reseller and by action; newest first.
create index on audit_event (user_email, at, id);
create index on audit_event (reseller_id, at, id);
create index on audit_event (action, at, id);
