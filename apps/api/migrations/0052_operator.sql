-- Operators: people of the provider, apart from the users of customers. Reference table: small, the same everywhere.
create table operator (
  id             uuid primary key,
  -- Null: of the whole installation; each call then names its reseller.
  reseller_id    integer references reseller (id),
  email          text not null unique check (email = lower(email) and email <> ''),
  display_name   text not null check (display_name <> ''),
  role           text not null check (role in ('owner', 'billing', 'support', 'readOnly')),
  -- Null until the invitation was followed: then both are there, for neither is enough without the other.
  password_hash  text,
  otp_secret     bytea,
  -- The time step of the newest code that was taken: none counts twice.
  last_step      bigint,
  created_at     timestamptz not null,
  disabled_at    timestamptz,
  check ((password_hash is null) = (otp_secret is null))
);
create index on operator (reseller_id);

-- Look-up table: links by which an operator chooses a password and sets up the authenticator app, once. Only the hash is
-- kept; the app's secret is sealed.
create table operator_invitation (
  hash         bytea primary key,
  operator_id  uuid not null references operator (id) on delete cascade,
  otp_secret   bytea not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  -- Followed, or replaced by a later one.
  ended_at     timestamptz,
  check (expires_at > created_at)
);
create index on operator_invitation (operator_id);

-- Look-up table: sessions of operators, by the hash of what their browser's cookie holds.
create table operator_session (
  id            uuid primary key,
  hash          bytea not null unique,
  operator_id   uuid not null references operator (id) on delete cascade,
  created_at    timestamptz not null,
  last_used_at  timestamptz not null,
  expires_at    timestamptz not null,
  address       text not null,
  network       text not null,
  agent         text not null,
  ended_at      timestamptz,
  end_reason    text check (end_reason in ('logout', 'elsewhere', 'disabled', 'reset', 'changed')),
  check ((ended_at is null) = (end_reason is null))
);
create index on operator_session (operator_id);
