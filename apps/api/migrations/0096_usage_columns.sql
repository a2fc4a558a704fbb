-- The records of a customer's month as columns: one value after another, all in one order, so that any filter is counted by
-- going through some bytes a record: docs/adr/0114-usage-columns.md. Derived; a row whose version is not the month's
-- is of no use and may be deleted at any time.
create table usage_columns (
  customer_id        uuid not null,
  month              date not null,
  version            bigint not null,
  made_at            timestamptz not null,
  n                  integer not null,
  -- Records stand in the order of agreement, line, time and id. Of each agreement: how many lines and records.
  agreements         uuid[] not null,
  agreement_lines    integer[] not null,
  agreement_records  integer[] not null,
  -- Ids of lines, and how many records each has: 16 and 4 bytes each.
  lines              bytea not null,
  line_records       bytea not null,
  record_types       uuid[] not null,
  -- Every so-manieth number in the order of numbers, and how many records of the month have a lesser one.
  numbers            text[] collate "C" not null,
  numbers_before     integer[] not null,
  -- Numbers in network byte order. Place of the type in `record_types`, from 0: 2 bytes.
  record_type        bytea not null,
  -- Day of the month: 1 byte.
  day                bytea not null,
  -- Places of the record in the orders of pages, from 0: 4 bytes each. Without service_item3: -1.
  price_place        bytea not null,
  units_place        bytea not null,
  number_place       bytea not null,
  third_place        bytea not null,
  -- Millionths: 8 bytes each.
  price              bytea not null,
  units              bytea not null,
  primary key (customer_id, month)
);

-- Parts of them are read, which a compressed value does not allow.
alter table usage_columns
  alter lines set storage external, alter line_records set storage external,
  alter record_type set storage external, alter day set storage external,
  alter price_place set storage external, alter units_place set storage external,
  alter number_place set storage external, alter third_place set storage external,
  alter price set storage external, alter units set storage external;
