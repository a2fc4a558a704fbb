-- What a provider's programs ask: the newest invoices of a reseller, one by its id, and those with a number.
-- docs/operator-api.md
create index invoice_of_reseller on invoice (reseller_id, id desc);
create index invoice_by_number on invoice (reseller_id, number);
