-- A PDF that became the document of an invoice by the number that its file is called by.
alter table import_change drop constraint import_change_kind_check;
alter table import_change add check (kind in ('usage', 'invoice', 'entity', 'document'));
