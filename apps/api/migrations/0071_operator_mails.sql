-- Operators are invited and helped by mail, and whoever is shut out stops looking at the portal: docs/adr/0091-operators-by-mail.md

-- An invitation that is mailed: the job that sends it puts one with another secret in its place.
alter table operator_invitation add column is_mailed boolean not null default false;

-- Look-up table: links by which an operator chooses a new password, once. Only the hash is kept.
create table operator_reset (
  hash         bytea primary key,
  operator_id  uuid not null references operator (id) on delete cascade,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  -- Used, or replaced by a later one.
  ended_at     timestamptz,
  check (expires_at > created_at)
);
create index on operator_reset (operator_id);

-- Mails to operators are no mails to customers and stand in no list of those; of the installation they have no reseller.
alter table mail
  alter column reseller_id drop not null,
  add column operator_id uuid,
  add constraint mail_is_somebodys check (reseller_id is not null or operator_id is not null);
create index on mail (operator_id, id desc) where operator_id is not null;

alter table operator_session drop constraint operator_session_end_reason_check;
alter table operator_session add constraint operator_session_end_reason_check
  check (end_reason in ('logout', 'elsewhere', 'disabled', 'reset', 'changed', 'password'));

-- Which operator looks: what they have open ends with their own way in.
alter table login_code add column operator_id uuid references operator (id) on delete set null;
create index on login_code (operator_id) where operator_id is not null;
alter table user_session add column operator_id uuid references operator (id) on delete set null;
create index on user_session (operator_id) where operator_id is not null;
alter table user_session drop constraint user_session_end_reason_check;
alter table user_session add constraint user_session_end_reason_check
  check (end_reason in ('logout', 'reuse', 'password', 'removed', 'expired', 'elsewhere', 'factor', 'passkey', 'operator'));
