-- Usage records, partitioned by month of `started_at` in UTC. `id` is the natural key: a hash of source and key.

create table usage_record (
  customer_id      uuid not null,
  started_at       timestamptz not null,
  id               uuid not null,
  agreement_id     uuid not null,
  record_type_id   uuid not null,
  service_item_id  uuid not null,
  service_item2    text collate "C" not null default '',
  service_item3    text collate "C" not null default '',
  units            numeric(18,6) not null,
  price            numeric(18,6) not null default 0,
  has_price        boolean not null default true,
  content_hash     bigint not null,
  primary key (customer_id, started_at, id) include (service_item_id, record_type_id, agreement_id)
) partition by range (started_at);
create index on usage_record (customer_id, service_item_id, started_at, id) include (record_type_id);
create index on usage_record (customer_id, record_type_id, started_at, id) include (agreement_id);
create index on usage_record (customer_id, price, started_at, id) include (record_type_id, agreement_id);
create index on usage_record (customer_id, units, started_at, id) include (record_type_id, agreement_id);
create index on usage_record (customer_id, service_item2, started_at, id);

-- Exact at every commit; written by the import in key order, never by a trigger.
create table usage_day (
  customer_id  uuid not null,
  day          date not null,
  n            integer not null,
  units        numeric(20,6) not null,
  price        numeric(20,6) not null,
  primary key (customer_id, day)
) with (fillfactor = 80);

create table usage_type_day (
  customer_id     uuid not null,
  record_type_id  uuid not null,
  agreement_id    uuid not null,
  day             date not null,
  n               integer not null,
  units           numeric(20,6) not null,
  price           numeric(20,6) not null,
  primary key (customer_id, record_type_id, agreement_id, day)
) with (fillfactor = 80);

create table usage_item_month (
  customer_id      uuid not null,
  service_item_id  uuid not null,
  agreement_id     uuid not null,
  month            date not null,
  n                integer not null,
  units            numeric(20,6) not null,
  price            numeric(20,6) not null,
  primary key (customer_id, service_item_id, agreement_id, month)
) with (fillfactor = 80);

create table usage_month (
  month  date primary key check (extract(day from month) = 1),
  state  text not null check (state in ('open', 'closed', 'archived'))
);

create table usage_version (
  customer_id  uuid not null,
  month        date not null,
  version      bigint not null,
  primary key (customer_id, month)
);

-- Which invoice line billed a record. The primary key forbids billing one twice.
create table usage_billed (
  customer_id      uuid not null,
  started_at       timestamptz not null,
  id               uuid not null,
  invoice_line_id  uuid not null,
  primary key (customer_id, started_at, id)
);
create index on usage_billed (customer_id, invoice_line_id, started_at, id);
