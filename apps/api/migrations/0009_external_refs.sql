-- A provider's own reference of an invoice or a service item names one of the customer's, never two.
create unique index on invoice (customer_id, external_ref) where external_ref is not null;
alter table service_item add column external_ref text;
create unique index on service_item (customer_id, external_ref) where external_ref is not null;
