-- Closed and archived months: since when, and what the archive holds (table by table: file, columns, rows, checksum).

alter table usage_month
  add column closed_at    timestamptz,
  add column archived_at  timestamptz,
  add column archive      jsonb;

-- What invoice lines billed of months that are archived, so that an invoice shows its usage as before. Written from
-- usage_billed and usage_record when a month is archived, removed when it is brought back.
create table usage_archived_line (
  customer_id      uuid not null,
  invoice_line_id  uuid not null,
  month            date not null,
  service_item_id  uuid not null,
  record_type_id   uuid not null,
  n                integer not null,
  units            numeric(20,6) not null,
  price            numeric(20,6) not null,
  primary key (customer_id, invoice_line_id, month, service_item_id, record_type_id)
);
