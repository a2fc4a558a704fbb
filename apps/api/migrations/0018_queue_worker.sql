-- Look-up: workers of the queue that live. One that was killed leaves its jobs locked; when it has not been seen for a
-- while, others take them.
create table queue_worker (
  worker_id  text primary key,
  seen_at    timestamptz not null default now()
);
