-- The next delivery of an endpoint is the first row of an index, however many wait: those written together are due at once, and
-- an index without what decides among them has all of them sorted for each delivery.
drop index webhook_delivery_due;
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_try_at, message_id) where state = 'waiting';
drop index webhook_delivery_order;
create index webhook_delivery_order on webhook_delivery (endpoint_id, object_id, written_at, message_id) where state = 'waiting';
