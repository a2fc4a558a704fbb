-- Look-up tables: a passkey is found by the id its authenticator gave it, a challenge by the hash of its own.
create table passkey (
  id             uuid primary key,
  user_id        uuid not null references app_user (id) on delete cascade,
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
create index on passkey (user_id);

-- What an authenticator is asked to sign, once. A registration belongs to the session that asked for it.
create table passkey_challenge (
  id_hash     bytea primary key,
  purpose     text not null check (purpose in ('registration', 'signIn')),
  challenge   text not null,
  user_id     uuid references app_user (id) on delete cascade,
  session_id  uuid references user_session (id) on delete cascade,
  rp_id       text not null,
  origin      text not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz,
  check ((purpose = 'registration') = (user_id is not null)),
  check ((user_id is null) = (session_id is null))
);
create index on passkey_challenge (expires_at);
