-- The trail of one customer, newest first, for whoever looks after it.
create index on audit_event (reseller_id, customer_id, at, id) where customer_id is not null;
