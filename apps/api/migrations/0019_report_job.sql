-- A report that a customer asked for: first a job, then a file, later only a line in the list.
create table report_job (
  customer_id       uuid not null references customer (customer_id),
  id                uuid not null,
  reseller_id       integer not null,
  user_id           uuid not null,
  definition        text not null,
  name              text not null,
  parameters        jsonb not null,
  export_type       smallint not null check (export_type in (1, 2, 3)),
  byte_order_mark   boolean not null,
  status            smallint not null check (status in (10, 20, 30, 40)),
  attempts          smallint not null default 0,
  -- What a file is asked for by: random, and good for this customer only. Null where there is no file.
  path              text check (path ~ '^[A-Za-z0-9_-]{22,64}$'),
  file_key          text,
  file_name         text not null,
  rows              integer check (rows >= 0),
  size_bytes        bigint check (size_bytes >= 0),
  error             text,
  created_at        timestamptz not null,
  started_at        timestamptz,
  finished_at       timestamptz,
  expires_at        timestamptz,
  primary key (customer_id, id),
  unique (customer_id, path),
  check ((path is null) = (file_key is null)),
  check (path is null or status = 30),
  check ((status in (30, 40)) = (finished_at is not null))
);
create index on report_job (customer_id, created_at desc, id desc);
create index on report_job (created_at) where status in (10, 20);
create index on report_job (expires_at) where path is not null;
