-- The words of a reseller's customers are found without those of all others': docs/adr/0097-rare-words-first.md. An index of words
-- takes the reseller only as an array.
drop index customer_words;
create index customer_words on reseller_customer using gin ((array[reseller_id]), to_tsvector('simple', label));
