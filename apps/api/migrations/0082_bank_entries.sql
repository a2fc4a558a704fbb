-- Entries of bank statements, matched to open invoices: docs/adr/0101-bank-statements.md

-- Look-up table: an entry of a statement, found by the bank account and the key that its content gives it.
create table bank_entry (
  id               uuid primary key,
  reseller_id      integer not null references reseller (id) on delete cascade,
  -- The import that brought it first.
  file_id          uuid not null,
  -- The provider's own account: an IBAN or what the bank calls it; empty where the file does not say.
  account          text not null,
  entry_key        bytea not null,
  sign             text not null check (sign in ('credit', 'debit')),
  currency         text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor     bigint not null check (amount_minor > 0),
  booked_on        date not null,
  -- It takes back an earlier entry: a transfer or direct debit that was returned.
  is_return        boolean not null,
  -- False: one entry for several transactions whose amounts the bank did not tell.
  is_single        boolean not null,
  bank_reference   text not null,
  end_to_end_id    text not null,
  creditor_reference text not null,
  remittance       text not null,
  party_name       text not null,
  party_account    text not null,
  state            text not null check (state in ('booked', 'suggested', 'unmatched', 'dismissed')),
  -- Why it was not booked by itself.
  reasons          text[] not null default '{}',
  candidates       jsonb not null default '[]',
  customer_id      uuid,
  -- Of a credit: the payment that was booked; of a debit: the one that was taken back.
  payment_id       uuid,
  -- How often it was booked: each booking is a payment with a reference of its own.
  bookings         integer not null default 0,
  -- Null: no person has decided it.
  decided_by       text,
  decided_at       timestamptz,
  note             text not null default '',
  matched_at       timestamptz not null,
  created_at       timestamptz not null,
  unique (reseller_id, account, entry_key),
  check (state <> 'booked' or payment_id is not null)
);
create index on bank_entry (reseller_id, id desc);
create index bank_entry_open on bank_entry (reseller_id, id) where state in ('suggested', 'unmatched');
create index bank_entry_to_match on bank_entry (matched_at)
  where state in ('suggested', 'unmatched') and sign = 'credit' and decided_at is null;
create index on bank_entry (payment_id) where payment_id is not null;
create index on bank_entry (reseller_id, party_account) where state = 'booked' and party_account <> '';
create index on bank_entry (file_id);

-- Numbers of invoices as payers write them: without blanks and signs, in capitals.
create index invoice_identity_by_plain_number on invoice_identity
  (reseller_id, upper(regexp_replace(number, '[^A-Za-z0-9]', '', 'g') collate "C"));

-- The same of what the provider calls its customers.
create index customer_identity_by_plain_value on customer_identity
  (reseller_id, upper(regexp_replace(value, '[^A-Za-z0-9]', '', 'g') collate "C")) where kind = 'externalRef';
