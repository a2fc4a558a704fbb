-- What was made at a gateway before its payer types a method: for one payment or to save one method, used once. Found by its
-- own random id, for whoever posts to its callback knows no customer.
create table payment_entry (
  id                  uuid primary key,
  customer_id         uuid not null,
  gateway_account_id  uuid not null,
  purpose             text not null check (purpose in ('save', 'payOnce')),
  kind                text not null check (kind in ('card', 'bank')),
  scheme              text,
  -- What it may pay: the invoice of a pay link, or the session of a bulk payment.
  invoice_id          uuid,
  session_id          uuid,
  -- Of the provider's own name of it, where a call names it so.
  remote_digest       bytea,
  gateway_state_sealed bytea not null,
  -- What the gateway's page has posted, once.
  input_sealed        bytea,
  created_at          timestamptz not null,
  expires_at          timestamptz not null,
  used_at             timestamptz,
  check ((purpose = 'save') = (invoice_id is null and session_id is null))
);
create unique index payment_entry_remote on payment_entry (gateway_account_id, remote_digest) where remote_digest is not null;
create index payment_entry_expires_at on payment_entry (expires_at);

-- Who owns the method of a payment and from where it was paid, sealed: the gateway is told the same when it is asked again.
alter table attempt add column owner_sealed bytea;
