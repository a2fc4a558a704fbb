-- Operators' passkeys, apart from those of customers' users as all of operators is: docs/adr/0092-operators-passkeys.md

-- Look-up tables, of the same shape as those of users (0014).
create table operator_passkey (
  id             uuid primary key,
  operator_id    uuid not null references operator (id) on delete cascade,
  credential_id  bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- COSE_Key
  public_key     bytea not null,
  counter        bigint not null check (counter >= 0),
  transports     text[] not null,
  device_type    text not null check (device_type in ('singleDevice', 'multiDevice')),
  backed_up      boolean not null,
  aaguid         uuid not null,
  name           text not null check (name <> ''),
  -- The host at which it was made; browsers offer it nowhere else.
  rp_id          text not null,
  created_at     timestamptz not null,
  last_used_at   timestamptz
);
create index on operator_passkey (operator_id);

create table operator_passkey_challenge (
  id_hash      bytea primary key,
  purpose      text not null check (purpose in ('registration', 'signIn')),
  challenge    text not null,
  operator_id  uuid references operator (id) on delete cascade,
  session_id   uuid references operator_session (id) on delete cascade,
  rp_id        text not null,
  origin       text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  check ((purpose = 'registration') = (operator_id is not null)),
  check ((operator_id is null) = (session_id is null))
);
create index on operator_passkey_challenge (expires_at);

-- How an operator signed in; the passkey, whose removal ends the session.
alter table operator_session
  add column method text not null default 'password' check (method in ('password', 'passkey', 'sso')),
  add column passkey_id uuid;
alter table operator_session drop constraint operator_session_end_reason_check;
alter table operator_session add constraint operator_session_end_reason_check
  check (end_reason in ('logout', 'elsewhere', 'disabled', 'reset', 'changed', 'password', 'passkey'));
