-- Sampled positions of value sorts: the key of every so-manieth record of a customer's month, in the order of one sort
-- and filter. Derived; a row whose version is not the month's is of no use and may be deleted at any time.
create table usage_sample (
  customer_id  uuid not null,
  month        date not null,
  sort         text not null check (sort in ('price', 'units', 'serviceItem2', 'serviceItem3')),
  -- '' for all records of the month, else a hash of the filter.
  filter       text not null,
  version      bigint not null,
  -- Records of the month that pass the filter, and how many of them stand between two samples.
  n            integer not null,
  distance     integer not null check (distance > 0),
  keys         text[] not null,
  times        timestamptz[] not null,
  ids          uuid[] not null,
  made_at      timestamptz not null,
  primary key (customer_id, month, sort, filter),
  check (cardinality(keys) = cardinality(times) and cardinality(keys) = cardinality(ids))
);

-- Grows with every change of a line's name, description, cost centre or site; absent: none was ever changed. Lists of
-- lines in the order of one of these are kept by it.
create table service_item_version (
  customer_id  uuid primary key,
  version      bigint not null
);
