-- How long a gateway's answer to one money call may take: an account's own limit, kept with each attempt. Until its lease
-- is over, nothing else looks into it.
alter table attempt add column answer_within_ms integer not null default 20000 check (answer_within_ms > 0);
