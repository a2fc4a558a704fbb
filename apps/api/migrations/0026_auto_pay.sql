-- Charging due invoices by themselves.
select 1;
