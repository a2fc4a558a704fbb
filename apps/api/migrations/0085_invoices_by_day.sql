-- The invoices of a reseller by the day they were issued, for its journals.
create index invoice_of_reseller_by_day on invoice (reseller_id, issued_on, id);
