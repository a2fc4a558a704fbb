-- The payment core. Constraints, not only code, forbid charging or booking twice.

-- What is to be paid, priced by the server: the pay page, bulk pay, auto-pay, an operator.
create table pay_session (
  customer_id   uuid not null references customer (customer_id),
  id            uuid not null,
  reseller_id   integer not null,
  origin        text not null check (origin in ('public', 'bulk', 'auto', 'operator')),
  public_id     text not null,
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  total_minor   bigint not null check (total_minor >= 0),
  credit_minor  bigint not null default 0 check (credit_minor >= 0),
  quote_digest  bytea not null,
  status        smallint not null check (status between 0 and 5),
  created_at    timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, public_id)
);
create table pay_session_line (
  customer_id   uuid not null,
  session_id    uuid not null,
  line_no       smallint not null,
  kind          text not null check (kind in ('invoice', 'CARD_FEE', 'BANK_FEE', 'adjustment')),
  invoice_id    uuid,
  amount_minor  bigint not null,
  primary key (customer_id, session_id, line_no),
  foreign key (customer_id, session_id) references pay_session (customer_id, id),
  check ((kind = 'invoice') = (invoice_id is not null))
);

-- One try to move money, committed before the gateway is called; charges and give-backs alike.
create table attempt (
  customer_id         uuid not null,
  id                  uuid not null,
  session_id          uuid not null,
  reseller_id         integer not null,
  gateway_account_id  uuid not null,
  gateway             text not null,
  direction           text not null check (direction in ('charge', 'giveBack')),
  ref                 text not null check (ref ~ '^[0-9A-Z]{1,18}$'),
  client_key          text,
  request_digest      bytea not null,
  kind                text not null check (kind in ('card', 'bank')),
  initiator           text not null check (initiator in ('customer', 'merchant')),
  currency            text not null,
  amount_minor        bigint not null check (amount_minor > 0),
  fee_minor           bigint not null default 0 check (fee_minor >= 0 and fee_minor < amount_minor),
  state               text not null check (state in ('sending', 'requiresAction', 'pending', 'unknown', 'held',
                        'succeeded', 'declined', 'notAttempted', 'absent', 'closed')),
  is_open             boolean not null generated always as
                        (state in ('sending', 'requiresAction', 'pending', 'unknown', 'held')) stored,
  remote              text,
  labels              jsonb not null,
  bag_sealed          bytea,
  method_sealed       bytea,
  payer_sealed        bytea,
  action              jsonb,
  decline             jsonb,
  return_to           text not null,
  receipt_email       text,
  of_capture_id       uuid,
  seq                 integer not null default 0,
  asks                jsonb not null default '{}',
  next_ask_at         timestamptz,
  sent_at             timestamptz not null,
  last_sent_at        timestamptz not null,
  updated_at          timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, ref),
  foreign key (customer_id, session_id) references pay_session (customer_id, id)
);
create unique index on attempt (customer_id, client_key) where client_key is not null;
create unique index attempt_one_open_per_session on attempt (customer_id, session_id) where is_open;
create index on attempt (next_ask_at) where is_open;

-- The double-charge lock: while an attempt on an invoice is open, a second one cannot be written.
create table claim (
  customer_id   uuid not null,
  attempt_id    uuid not null,
  invoice_id    uuid not null,
  amount_minor  bigint not null check (amount_minor > 0),
  is_open       boolean not null,
  primary key (customer_id, attempt_id, invoice_id),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id)
);
create unique index claim_one_open_per_invoice on claim (customer_id, invoice_id) where is_open;

-- Append-only. A collision of `seq` means somebody else moved the attempt first.
create table transition (
  customer_id  uuid not null,
  attempt_id   uuid not null,
  seq          integer not null,
  from_state   text,
  to_state     text not null,
  cause        text not null,
  evidence     jsonb not null default '{}',
  at           timestamptz not null,
  primary key (customer_id, attempt_id, seq),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id)
);

-- One charge at the gateway is one row, whoever reported it, however often.
create table capture (
  customer_id         uuid not null,
  id                  uuid not null,
  attempt_id          uuid not null,
  gateway_account_id  uuid not null,
  remote              text not null,
  currency            text not null,
  amount_minor        bigint not null check (amount_minor > 0),
  to_invoices_minor   bigint not null check (to_invoices_minor >= 0),
  to_fee_minor        bigint not null check (to_fee_minor >= 0),
  to_credit_minor     bigint not null check (to_credit_minor >= 0),
  reversed_minor      bigint not null default 0,
  at                  timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, gateway_account_id, remote),
  unique (customer_id, attempt_id),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id),
  check (amount_minor = to_invoices_minor + to_fee_minor + to_credit_minor),
  check (reversed_minor between 0 and amount_minor)
);
create table allocation (
  customer_id   uuid not null,
  id            uuid not null,
  capture_id    uuid not null,
  target        text not null,
  invoice_id    uuid,
  amount_minor  bigint not null check (amount_minor > 0),
  primary key (customer_id, id),
  unique (customer_id, capture_id, target),
  foreign key (customer_id, capture_id) references capture (customer_id, id)
);
create table reversal (
  customer_id   uuid not null,
  id            uuid not null,
  capture_id    uuid not null,
  remote        text not null,
  kind          text not null check (kind in ('refund', 'void', 'lateFailure', 'chargeback', 'chargebackWon', 'resubmitted')),
  amount_minor  bigint not null check (amount_minor > 0),
  at            timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, capture_id, remote, kind),
  foreign key (customer_id, capture_id) references capture (customer_id, id)
);

-- Double entry: each row carries both sides, so the books always balance; posting is idempotent.
create table ledger (
  customer_id   uuid not null references customer (customer_id),
  id            uuid not null,
  debit         text not null,
  credit        text not null,
  currency      text not null,
  amount_minor  bigint not null check (amount_minor > 0),
  source        text not null,
  source_id     uuid not null,
  leg           text not null,
  at            timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, source, source_id, leg),
  check (debit <> credit)
);

-- Receipts and other messages that follow from a committed change, once each.
create table outbox (
  customer_id  uuid not null,
  id           uuid not null,
  kind         text not null,
  dedupe_key   text not null,
  payload      jsonb not null,
  created_at   timestamptz not null,
  done_at      timestamptz,
  primary key (customer_id, id),
  unique (customer_id, kind, dedupe_key)
);

-- Look-up: a webhook names only the gateway's object; a charge cannot belong to two customers.
create table gateway_object (
  gateway_account_id  uuid not null,
  remote              text not null,
  customer_id         uuid not null,
  attempt_id          uuid not null,
  primary key (gateway_account_id, remote)
);
-- Look-up: our own reference, as the gateway sends it back.
create table attempt_ref (
  ref          text primary key,
  customer_id  uuid not null,
  attempt_id   uuid not null
);
-- Look-up: each event of a gateway is taken in once.
create table inbox (
  gateway_account_id  uuid not null,
  event_key           text not null,
  received_at         timestamptz not null,
  handled_at          timestamptz,
  outcome             text,
  primary key (gateway_account_id, event_key)
);
