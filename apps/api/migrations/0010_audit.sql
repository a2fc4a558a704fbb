-- Look-up table: who did what, on whose behalf, when and from where. Rows are written with what they tell of and never
-- changed; they name people in words too, so that they outlive them.
create table audit_event (
  id           uuid primary key,
  at           timestamptz not null,
  action       text not null check (action <> ''),
  reseller_id  integer,
  user_id      uuid,
  user_email   text,
  -- Who acted in the user's name: support staff, or whoever ran a command.
  actor        text,
  customer_id  uuid,
  session_id   uuid,
  address      text,
  request_id   text,
  detail       jsonb not null default '{}'
);
create index on audit_event (at, id);
create index on audit_event (user_id, at);

-- How the person proved who they are, and how a session may end.
alter table user_session add column method text not null default 'password'
  check (method in ('password', 'sso', 'passkey', 'code'));
alter table user_session drop constraint user_session_end_reason_check;
alter table user_session add constraint user_session_end_reason_check
  check (end_reason in ('logout', 'reuse', 'password', 'removed', 'expired', 'elsewhere', 'factor'));
