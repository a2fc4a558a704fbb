-- Imports that are stopped while they run. What they took in until then stays, and can be undone.
alter table import_file drop constraint import_file_state_check;
alter table import_file add check (
  state in ('checking', 'checked', 'waiting', 'running', 'stopping', 'stopped', 'done', 'failed', 'undoing', 'undone',
            'discarded'));
-- It ended before all of it was in.
alter table import_file add column is_stopped boolean not null default false;
