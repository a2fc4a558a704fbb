-- How many invoices a large customer has, kept with the sums of the account: docs/adr/0106-running-balance.md
alter table account_day add column invoices integer not null default 0;
insert into account_day (customer_id, currency, day, invoices)
select customer_id, summed_currency, summed_on, count(*) from invoice where summed_on is not null group by 1, 2, 3
    on conflict (customer_id, currency, day) do update set invoices = excluded.invoices;
-- Credits are in the sums too now, as nothing; those that are counted nowhere are found by the index alone.
drop index invoice_unsummed;
-- As something that equals something, of which the planner takes one in two hundred to be so: of what differs it takes nearly all,
-- and would read the whole table for the few.
create index invoice_unsummed on invoice (customer_id, summed_on)
  where case when summed_minor <> case when kind = 'invoice' and payable_minor > 0 and status <> 13 then payable_minor else 0 end
                  or (summed_on, summed_currency) is distinct from (issued_on, currency) then 1 else 0 end = 1;
