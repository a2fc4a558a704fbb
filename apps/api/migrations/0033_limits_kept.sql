-- Who has used up their tries has used them up after a crash of the database, too: an unlogged table is emptied by one.
-- Each row is read and written by its key, so what it costs is a place in the journal beside that of the session.
alter table rate_limit set logged;

-- Jobs of earlier versions hold what somebody typed to have a password reset, and where no mail could be sent they stay.
-- It may be a password in the wrong field. Who waits for such a mail asks again.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = 'reset-mail' and j.payload ->> 'email' is not null;
  end if;
end $$;
