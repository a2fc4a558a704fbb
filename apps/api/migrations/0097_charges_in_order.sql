-- The charges of a period in the order of their list, so that a page of a hundred thousand is read by the index:
-- docs/adr/0107-long-lists.md
create index invoice_line_charged on invoice_line (customer_id, agreement_id, date_from, invoice_id, line_no);
drop index invoice_line_customer_id_agreement_id_date_from_idx;
create index invoice_void on invoice (customer_id, id) where status = 13;
