-- Sorting by zone: most records have none, and these are in the order of time already. All that usage is filtered by stands in the
-- index: docs/adr/0112-usage-selections.md
create index on usage_record (customer_id, service_item3, started_at, id)
  include (record_type_id, agreement_id, service_item_id, service_item2) where service_item3 <> '';
