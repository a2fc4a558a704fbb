-- Single sign-on by company name.

-- Reference tables: a business customer whose people sign in through an OpenID provider of its own.
create table company (
  id             uuid primary key,
  reseller_id    integer not null references reseller (id),
  name           text not null check (name <> ''),
  -- The name as it is compared: people type it in any case.
  name_key       text not null unique check (name_key <> ''),
  -- Absent: a company that is known but has no single sign-on.
  issuer         text,
  client_id      text,
  client_secret  bytea,
  requires_sso   boolean not null default false,
  is_active      boolean not null default true,
  created_at     timestamptz not null,
  check ((issuer is null) = (client_id is null)),
  check (issuer is not null or (client_secret is null and not requires_sso))
);
create index on company (reseller_id);

-- Domains of the company's e-mail addresses; each is one company's.
create table company_domain (
  domain      text primary key check (domain <> '' and domain = lower(domain)),
  company_id  uuid not null references company (id) on delete cascade
);
create index on company_domain (company_id);

-- The customers whose users may sign in through the company's provider.
create table company_customer (
  company_id   uuid not null references company (id) on delete cascade,
  customer_id  uuid not null,
  primary key (company_id, customer_id)
);
create index on company_customer (customer_id);

-- Look-up tables. A visit to the provider, found by the state that comes back with the browser.
create table sso_attempt (
  state_hash       bytea primary key,
  company_id       uuid not null references company (id) on delete cascade,
  cookie_hash      bytea not null,
  nonce            text not null,
  verifier_sealed  bytea not null,
  origin           text not null,
  r                text,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  used_at          timestamptz
);
create index on sso_attempt (expires_at);

-- What the browser brings back to the sign-in page and trades for a session.
create table sso_code (
  hash          bytea primary key,
  user_id       uuid not null references app_user (id) on delete cascade,
  company_id    uuid not null references company (id) on delete cascade,
  cookie_hash   bytea not null,
  redirect_uri  text not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  used_at       timestamptz
);
create index on sso_code (expires_at);
