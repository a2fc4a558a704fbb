-- Payment methods a customer keeps at a gateway: see docs/adr/0025-saved-methods.md.

-- A customer as one account of a gateway knows it.
create table payer (
  customer_id         uuid not null references customer (customer_id),
  id                  uuid not null,
  gateway_account_id  uuid not null,
  remote_digest       bytea not null,
  bag_sealed          bytea not null,
  -- The gateway's own default as it was last seen or set there: only a change of it is somebody's wish.
  default_seen        bytea,
  created_at          timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, gateway_account_id, remote_digest)
);

-- Rows stay when a method is removed: a list read at the gateway late shall not bring it back.
create table payment_method (
  customer_id         uuid not null references customer (customer_id),
  id                  uuid not null,
  gateway_account_id  uuid not null,
  payer_id            uuid,
  kind                text not null check (kind in ('card', 'bank')),
  token_digest        bytea not null,
  bag_sealed          bytea not null,
  show                jsonb not null,
  expires             text check (expires ~ '^\d{4}-\d{2}$'),
  fingerprint         bytea,
  usable              text not null check (usable in ('now', 'pending', 'never')),
  -- leaving: removed here, the gateway has yet to be told.
  state               text not null check (state in ('active', 'leaving', 'gone')),
  is_default          boolean not null default false,
  check_at            timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, gateway_account_id, token_digest),
  foreign key (customer_id, payer_id) references payer (customer_id, id),
  check (not is_default or (state = 'active' and usable = 'now'))
);
create unique index payment_method_one_default on payment_method (customer_id, gateway_account_id) where is_default;
create unique index payment_method_no_double on payment_method (customer_id, gateway_account_id, fingerprint)
  where state = 'active' and fingerprint is not null;
create index on payment_method (check_at) where check_at is not null;

-- What somebody has agreed to, word for word; never changed but for its end.
create table consent (
  customer_id  uuid not null references customer (customer_id),
  id           uuid not null,
  purpose      text not null check (purpose in ('autoPay', 'mandate')),
  text         text not null check (text <> ''),
  version      text not null,
  user_id      uuid not null,
  user_name    text not null,
  at           timestamptz not null,
  address      text not null,
  agent        text not null,
  revoked_at   timestamptz,
  revoked_by   text,
  primary key (customer_id, id),
  check ((revoked_at is null) = (revoked_by is null))
);
create unique index consent_one_auto_pay on consent (customer_id) where purpose = 'autoPay' and revoked_at is null;

-- An account holder's order to debit, as the gateway keeps it.
create table mandate (
  customer_id        uuid not null,
  id                 uuid not null,
  payment_method_id  uuid not null,
  remote_digest      bytea not null,
  scheme             text not null,
  state              text not null check (state in ('pending', 'active', 'suspended', 'dead')),
  show               jsonb not null default '{}',
  usable_from        date,
  consent_id         uuid,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, payment_method_id, remote_digest),
  foreign key (customer_id, payment_method_id) references payment_method (customer_id, id),
  foreign key (customer_id, consent_id) references consent (customer_id, id)
);

-- One try to save a method, committed before the gateway is called. The token is not stored.
create table method_saving (
  customer_id         uuid not null references customer (customer_id),
  id                  uuid not null,
  gateway_account_id  uuid not null,
  ref                 text not null check (ref ~ '^[0-9A-Z]{18}$'),
  client_key          text,
  request_digest      bytea,
  -- token: we finish it; browser: the provider's script does.
  by                  text not null check (by in ('token', 'browser')),
  kind                text not null check (kind in ('card', 'bank')),
  scheme              text not null,
  state               text not null check (state in ('sending', 'browser', 'redirect', 'underWay', 'unknown',
                        'saved', 'refused', 'failed', 'expired')),
  is_open             boolean not null generated always as
                        (state in ('sending', 'browser', 'redirect', 'underWay', 'unknown')) stored,
  payer_id            uuid,
  bag_sealed          bytea,
  action_sealed       bytea,
  needs               jsonb,
  decline             jsonb,
  payment_method_id   uuid,
  consent_id          uuid,
  person              jsonb not null,
  return_to           text not null,
  asks                integer not null default 0,
  next_ask_at         timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, ref),
  foreign key (customer_id, payer_id) references payer (customer_id, id),
  foreign key (customer_id, payment_method_id) references payment_method (customer_id, id),
  foreign key (customer_id, consent_id) references consent (customer_id, id)
);
create unique index method_saving_client_key on method_saving (customer_id, client_key) where client_key is not null;
-- The same token twice at once, and two open set-ups of one page.
create unique index method_saving_one_open on method_saving (customer_id, request_digest)
  where request_digest is not null and state in ('sending', 'redirect', 'underWay', 'unknown');
create unique index method_saving_one_set_up on method_saving (customer_id, gateway_account_id, scheme)
  where by = 'browser' and state in ('sending', 'browser', 'unknown');
create index on method_saving (next_ask_at) where next_ask_at is not null;

-- Look-up: payers, methods, mandates and savings are found as charges are. Their names are stored as digests: some of
-- them are tokens that can be charged.
alter table gateway_object alter column attempt_id drop not null;
alter table gateway_object add column about text not null default 'charge'
  check (about in ('charge', 'payer', 'method', 'mandate', 'saving'));
alter table gateway_object add constraint gateway_object_is_of check ((about = 'charge') = (attempt_id is not null));
