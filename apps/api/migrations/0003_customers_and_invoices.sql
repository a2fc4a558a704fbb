-- Distributed tables: `customer_id` stands first in every primary, unique and foreign key.

create table customer (
  customer_id   uuid primary key,
  reseller_id   integer not null,
  brand_id      integer,
  external_ref  text,
  label         text not null check (label <> ''),
  email         text,
  address       jsonb not null default '{}',
  country       text,
  created_at    timestamptz not null default now()
);

-- Look-up: whose is this buyer endpoint, legal id, name, account code?
create table customer_identity (
  reseller_id  integer not null,
  kind         text not null check (kind in ('endpoint', 'legalId', 'name', 'accountCode', 'externalRef')),
  value        text not null,
  customer_id  uuid not null,
  primary key (reseller_id, kind, value)
);
create index on customer_identity (customer_id);
-- Look-up: the customers of one reseller, by label; what a session needs to know of them.
create table reseller_customer (
  reseller_id  integer not null,
  customer_id  uuid not null,
  brand_id     integer,
  label        text not null,
  primary key (reseller_id, customer_id)
);

create table agreement (
  customer_id   uuid not null references customer (customer_id),
  id            uuid not null,
  name          text not null,
  external_ref  text,
  started_on    date,
  primary key (customer_id, id),
  unique (customer_id, external_ref)
);

create table billing_period (
  customer_id   uuid not null,
  id            uuid not null,
  agreement_id  uuid not null,
  period_start  date not null,
  period_end    date not null,
  primary key (customer_id, id),
  unique (customer_id, agreement_id, period_start, period_end),
  foreign key (customer_id, agreement_id) references agreement (customer_id, id),
  check (period_start <= period_end)
);

create table service_item (
  customer_id   uuid not null references customer (customer_id),
  id            uuid not null,
  service_id    uuid not null,
  agreement_id  uuid,
  name          text not null,
  description   text,
  cost_centre   text,
  site          text,
  created_at    timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, service_id, name)
);
-- Look-up: a call record names only a line; this says whose it is.
create table service_item_number (
  reseller_id      integer not null,
  number           text not null,
  customer_id      uuid not null,
  service_item_id  uuid not null,
  primary key (reseller_id, number)
);
create index on service_item_number (customer_id, service_item_id);

create table invoice (
  customer_id      uuid not null references customer (customer_id),
  id               uuid not null,
  reseller_id      integer not null,
  kind             text not null check (kind in ('invoice', 'creditNote')),
  number           text not null check (number <> ''),
  supplier_key     text not null,
  external_ref     text,
  agreement_id     uuid,
  issued_on        date not null,
  due_on           date,
  period_start     date,
  period_end       date,
  currency         text not null check (currency ~ '^[A-Z]{3}$'),
  subtotal_minor   bigint not null,
  tax_minor        bigint not null,
  total_minor      bigint not null,
  rounding_minor   bigint not null default 0,
  prepaid_minor    bigint not null default 0,
  payable_minor    bigint not null,
  held_minor       bigint not null default 0 check (held_minor >= 0),
  paid_minor       bigint not null default 0 check (paid_minor >= 0),
  credited_minor   bigint not null default 0 check (credited_minor >= 0),
  reversed_minor   bigint not null default 0 check (reversed_minor >= 0 and reversed_minor <= paid_minor),
  due_minor        bigint not null generated always as
                     (payable_minor - paid_minor - credited_minor + reversed_minor) stored,
  status           smallint not null check (status in (10, 11, 12, 13, 14)),
  supplier         jsonb not null default '{}',
  buyer            jsonb not null default '{}',
  details          jsonb not null default '{}',
  taxes            jsonb not null default '[]',
  discrepancies    jsonb not null default '[]',
  content_hash     bytea not null,
  generated_at     timestamptz not null,
  created_at       timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, supplier_key, kind, number),
  -- No invoice can be promised, paid or credited beyond what it asks.
  check (payable_minor < 0 or held_minor + paid_minor + credited_minor - reversed_minor <= payable_minor),
  check (payable_minor >= 0 or (held_minor = 0 and paid_minor = 0)),
  check (kind = 'invoice' or (held_minor = 0 and paid_minor = 0))
);
create index on invoice (customer_id, issued_on desc, id desc);
create index on invoice (customer_id, due_on) where status = 10;

-- Look-up: (supplier, kind, number) is an invoice's identity, whoever it was taken for.
create table invoice_identity (
  reseller_id   integer not null,
  supplier_key  text not null,
  kind          text not null,
  number        text not null,
  customer_id   uuid not null,
  invoice_id    uuid not null,
  primary key (reseller_id, supplier_key, kind, number)
);

-- A charge of a period: a line of an invoice, or not yet invoiced (`invoice_id` null).
create table invoice_line (
  customer_id      uuid not null,
  id               uuid not null,
  invoice_id       uuid,
  line_no          integer not null,
  kind             text not null check (kind in ('line', 'allowance', 'charge')),
  product_label    text not null default '',
  product_name     text not null,
  details          text not null default '',
  service_id       uuid,
  record_type_id   uuid,
  agreement_id     uuid,
  service_item_id  uuid,
  service_item     text not null default '',
  site_label       text not null default '',
  cost_centre      text,
  date_from        date,
  date_to          date,
  quantity         numeric(18,6) not null,
  unit             text not null default '',
  price            numeric(18,6) not null,
  base_quantity    numeric(18,6) not null default 1,
  currency         text not null,
  amount_minor     bigint not null,
  tax_minor        bigint not null default 0,
  tax_category     text not null default '',
  tax_percent      numeric(9,4),
  extra            text[] not null default '{}',
  primary key (customer_id, id),
  unique (customer_id, invoice_id, line_no),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id)
);
create index on invoice_line (customer_id, agreement_id, date_from);

-- What a credit note, a negative invoice or unapplied credit took off an invoice.
create table invoice_credit (
  customer_id        uuid not null,
  id                 uuid not null,
  credit_invoice_id  uuid not null,
  invoice_id         uuid not null,
  amount_minor       bigint not null check (amount_minor > 0),
  created_at         timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, credit_invoice_id, invoice_id),
  foreign key (customer_id, credit_invoice_id) references invoice (customer_id, id),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id)
);

-- Look-up: a pay link grants one page about one invoice. The token is kept sealed, because it must be
-- shown again, and found by its hash.
create table pay_link (
  hash          bytea primary key,
  token_sealed  bytea not null,
  customer_id   uuid not null,
  invoice_id    uuid not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  retired_at    timestamptz
);
create unique index on pay_link (customer_id, invoice_id) where retired_at is null;
