-- Single sign-on of operators, through an OpenID provider of the installation's or of one reseller's:
-- docs/adr/0093-operators-single-sign-on.md

-- Reference table.
create table operator_sso (
  id             uuid primary key,
  -- Null: of the installation. Each has one at most.
  reseller_id    integer unique references reseller (id),
  -- What people type to find it.
  name           text not null check (name <> ''),
  name_key       text not null unique check (name_key <> ''),
  issuer         text not null check (issuer <> ''),
  client_id      text not null check (client_id <> ''),
  -- Sealed; null: a client without one.
  client_secret  bytea,
  -- Neither password nor passkey signs in any more, but those of owners of the installation.
  is_demanded    boolean not null default false,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create unique index operator_sso_installation on operator_sso ((reseller_id is null)) where reseller_id is null;

-- Whom the provider knows the operator as, from the first sign-in through it on.
alter table operator
  add column sso_issuer text,
  add column sso_subject text,
  add constraint operator_sso_whole check ((sso_issuer is null) = (sso_subject is null)),
  add constraint operator_sso_subject unique (sso_issuer, sso_subject);

-- Look-up table: a visit to the provider, found by the state that comes back with the browser.
create table operator_sso_attempt (
  state_hash       bytea primary key,
  operator_sso_id  uuid not null references operator_sso (id) on delete cascade,
  cookie_hash      bytea not null,
  nonce            text not null,
  verifier_sealed  bytea not null,
  origin           text not null,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  used_at          timestamptz
);
create index on operator_sso_attempt (expires_at);
