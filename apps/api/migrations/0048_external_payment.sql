-- Payments that a provider received outside the portal: docs/adr/0075-payments-from-outside.md. Their entries in the ledger
-- have the source 'external'.
create table external_payment (
  customer_id   uuid not null references customer (customer_id),
  id            uuid not null,
  reseller_id   integer not null,
  reference     text not null check (reference <> ''),
  method        text not null check (method in ('bankTransfer', 'cheque', 'cash', 'cardTerminal', 'other')),
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor  bigint not null check (amount_minor > 0),
  received_on   date not null,
  note          text not null,
  recorded_by   text not null,
  created_at    timestamptz not null,
  voided_at     timestamptz,
  primary key (customer_id, id)
);
create index on external_payment (reseller_id, id desc);

-- What of it paid an invoice; the rest became the customer's credit.
create table external_payment_share (
  customer_id   uuid not null,
  payment_id    uuid not null,
  invoice_id    uuid not null,
  amount_minor  bigint not null check (amount_minor > 0),
  primary key (customer_id, payment_id, invoice_id),
  foreign key (customer_id, payment_id) references external_payment (customer_id, id),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id)
);
create index on external_payment_share (customer_id, invoice_id);

-- Look-up: the provider's own reference names one payment, so that the same one told twice is booked once.
create table external_payment_ref (
  reseller_id  integer not null,
  reference    text not null,
  customer_id  uuid not null,
  payment_id   uuid not null,
  primary key (reseller_id, reference)
);
create index on external_payment_ref (payment_id);
