-- Numbers are sorted under the same filters as prices and units: what is filtered by stands in the index, too.
drop index usage_record_customer_id_service_item2_started_at_id_idx;
create index on usage_record (customer_id, service_item2, started_at, id) include (record_type_id, agreement_id);
