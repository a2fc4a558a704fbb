-- Gateway accounts whose payments are off since a backup was restored: see docs/adr/0072-a-restored-backup.md.
create table payment_pause (
  gateway_account_id  uuid primary key,
  -- When the backup was made.
  since               timestamptz not null,
  set_at              timestamptz not null,
  note                text not null,
  -- While a process scans, until when it is that process's.
  next_scan_at        timestamptz not null,
  -- Why a person has to end it.
  problem             text
);

-- Which database of which cluster it was when a process last worked in it: one that was filled from a dump is another.
alter table key_check add column place text;
