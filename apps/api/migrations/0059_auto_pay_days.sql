-- What Auto-Pay decided on a day, for whoever looks after it.
create index on autopay_run (at);
