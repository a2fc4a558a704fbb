-- Paying several invoices at once.
select 1;
