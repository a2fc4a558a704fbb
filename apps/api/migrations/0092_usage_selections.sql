-- Sums of what many records of a customer have in common, a line or the beginning of a number, by day and type:
-- docs/adr/0112-usage-selections.md. Written by the import, as the other sums are.

-- How many records a customer has, and how many there were when its selections were last chosen.
create table usage_customer (
  customer_id  uuid primary key,
  n            bigint not null,
  chosen_n     bigint not null default 0
);

-- A row says that its sums are kept: from its first moment on they are complete.
create table usage_selection (
  customer_id      uuid not null,
  id               uuid not null,
  service_item_id  uuid,
  number           text collate "C",
  primary key (customer_id, id),
  unique (customer_id, service_item_id),
  unique (customer_id, number),
  check (num_nonnulls(service_item_id, number) = 1),
  check (number <> '')
);

create table usage_selection_day (
  customer_id     uuid not null,
  selection_id    uuid not null,
  record_type_id  uuid not null,
  -- Of numbers the agreements are added up, under the id of zeros.
  agreement_id    uuid not null,
  day             date not null,
  n               integer not null,
  units           numeric(20,6) not null,
  price           numeric(20,6) not null,
  primary key (customer_id, selection_id, record_type_id, agreement_id, day)
) with (fillfactor = 80);

insert into usage_customer (customer_id, n) select customer_id, sum(n) from usage_day group by customer_id;
