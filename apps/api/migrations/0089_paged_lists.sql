-- The order that people expect of texts: digits by their value, case aside; what is alike by that stands by its bytes.
create collation people (provider = icu, locale = 'und-u-kn-true-ks-level1');

-- All that the list of a customer's invoices is sorted, searched and filtered by: pages and totals are read from the index alone.
create index invoice_listed on invoice (customer_id, issued_on desc, id desc)
  include (kind, number, status, due_on, currency, total_minor, payable_minor, due_minor);
drop index invoice_customer_id_issued_on_id_idx;

-- The lists of service items begin in this order.
create index service_item_by_name on service_item (customer_id, name, id);
