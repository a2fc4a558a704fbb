-- When the job of a promised mail was put into the queue: docs/adr/0094-promised-mails-are-queued-by-a-round.md.
-- What is there has its job already.
alter table outbox add column queued_at timestamptz default now();
alter table outbox alter column queued_at drop default;
create index outbox_to_queue on outbox (created_at) where queued_at is null;
