-- Every mail that was to be sent, and how each try ended, for whoever looks after customers: docs/adr/0084-mails-kept.md.
-- Look-up table: found by its id or by whom it went to.
create table mail (
  id           uuid primary key,
  reseller_id  integer not null,
  brand_id     integer not null,
  -- Whom it is about, where it is about a customer's invoices or a user's account.
  customer_id  uuid,
  user_id      uuid,
  kind         text not null check (kind <> ''),
  address      text not null check (address <> ''),
  subject      text not null,
  -- The words as they were sent. Of a link that opens something the secret part is left out.
  content      jsonb not null,
  -- The job that sends it and what that is given: to send it again is to run it again.
  task         text not null,
  payload      jsonb not null,
  -- The job that sent it last, in the queue.
  job_id       text not null unique,
  state        text not null check (state in ('waiting', 'sent', 'failing', 'refused', 'givenUp', 'closed')),
  -- How often it was ordered: once, and once more each time a person sends it again.
  orders       integer not null default 1,
  -- How each try ended, the oldest first; the newest are kept.
  tries        jsonb not null default '[]',
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);
create index on mail (reseller_id, id desc);
create index on mail (reseller_id, state, id desc);
create index on mail (reseller_id, kind, id desc);
create index on mail (reseller_id, lower(address), id desc);
create index on mail (customer_id, id desc) where customer_id is not null;
create index on mail (user_id, id desc) where user_id is not null;
create index on mail (created_at);
