-- The last attempt of an invoice is looked up with every look at it.
create index on claim (customer_id, invoice_id);
