-- A new customer of tens of thousands of rows is a small part of a large table, and not known to the planner before the
-- tenth that PostgreSQL waits for by itself: its pages are planned as those of a customer with one row.
alter table invoice set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table invoice_line set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table invoice_pay_link set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table service_item set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
alter table ledger set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
