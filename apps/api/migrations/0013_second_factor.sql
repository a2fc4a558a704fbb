-- Look-up tables by user: what is asked for after the password.

-- The secret an authenticator app holds too, sealed and bound to its user. One that is being set up stands beside it,
-- so that changing to another phone leaves the old one good until the new one has proven itself.
create table second_factor (
  user_id         uuid primary key references app_user (id) on delete cascade,
  created_at      timestamptz not null,
  secret          bytea,
  confirmed_at    timestamptz,
  pending_secret  bytea,
  pending_at      timestamptz,
  -- The time step of the newest code that was taken: none counts twice.
  last_step       bigint,
  -- Wrong codes over all sign-ins since `wrong_since`; after too many of them codes have to wait.
  wrong_codes     integer not null default 0 check (wrong_codes >= 0),
  wrong_since     timestamptz,
  check ((secret is null) = (confirmed_at is null)),
  check ((pending_secret is null) = (pending_at is null))
);

-- Codes for whom the app is gone; each opens one sign-in. Only a keyed digest is kept.
create table recovery_code (
  user_id     uuid not null references app_user (id) on delete cascade,
  hash        bytea not null,
  created_at  timestamptz not null,
  used_at     timestamptz,
  primary key (user_id, hash)
);

-- A sign-in whose password was right and whose second step is due. It is good for the password that was checked.
create table mfa_challenge (
  hash           bytea primary key,
  user_id        uuid not null references app_user (id) on delete cascade,
  password_hash  bytea not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  tries          integer not null default 0,
  used_at        timestamptz
);
create index on mfa_challenge (user_id);
