-- What the units of a record type are, in the words of domain/quantity.ts. Null: not known, and the plain number is shown.
alter table record_type add column unit text check (unit in (
  'second', 'minute', 'hour', 'byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte',
  'message', 'event', 'piece', 'day', 'week', 'month', 'year'));

-- Known of types that are there already: of those the reseller says are data, how many bytes a unit is; of others, the
-- word the service puts over its units. Nothing where a bill counts the type in a unit of another kind. Type by type,
-- since bills lie elsewhere where tables are distributed.
do $$
declare
  billed text[];
  known record;
begin
  select coalesce(array_agg(distinct record_type_id::text || case
           when unit in ('SEC', 'MIN', 'HUR') then ' time'
           when unit in ('AD', '2P', '4L', 'E34', 'E35', 'KB', 'MB', 'GB', 'TB') then ' data'
           else ' calendar' end), '{}')
    into billed
    from invoice_line
   where record_type_id is not null
     and unit in ('SEC', 'MIN', 'HUR', 'AD', '2P', '4L', 'E34', 'E35', 'KB', 'MB', 'GB', 'TB', 'DAY', 'WEE', 'MON', 'ANN');

  for known in
    select x.id, x.unit,
           case when x.unit in ('second', 'minute', 'hour') then 'time'
                when x.unit in ('message', 'event', 'piece') then 'count'
                when x.unit in ('day', 'week', 'month', 'year') then 'calendar' else 'data' end as kind
      from (select t.id,
                   case when r.settings -> 'dataUsageRecordTypes' ? t.code then
                     case coalesce(r.settings ->> 'dataUsageUnitBytes', '1048576')
                       when '1' then 'byte' when '1000' then 'kilobyte' when '1024' then 'kilobyte'
                       when '1000000' then 'megabyte' when '1048576' then 'megabyte'
                       when '1000000000' then 'gigabyte' when '1073741824' then 'gigabyte' end
                   -- 'Mb' and 'gb' could be bits.
                   when trim(s.units_label) in ('kB', 'KB') then 'kilobyte'
                   when trim(s.units_label) = 'MB' then 'megabyte'
                   when trim(s.units_label) = 'GB' then 'gigabyte'
                   when trim(s.units_label) = 'TB' then 'terabyte'
                   else
                     case regexp_replace(lower(trim(s.units_label)), 's$', '')
                       when 'sec' then 'second' when 'min' then 'minute'
                       when 'second' then 'second' when 'minute' then 'minute' when 'hour' then 'hour'
                       when 'byte' then 'byte' when 'kilobyte' then 'kilobyte' when 'megabyte' then 'megabyte'
                       when 'gigabyte' then 'gigabyte' when 'terabyte' then 'terabyte'
                       when 'message' then 'message' when 'event' then 'event' when 'piece' then 'piece'
                       when 'day' then 'day' when 'week' then 'week' when 'month' then 'month' when 'year' then 'year'
                     end
                   end as unit
              from record_type t
              join reseller r on r.id = t.reseller_id
              join service s on s.id = t.service_id) x
     where x.unit is not null
  loop
    if not exists (
      select from unnest(billed) b
       where b like known.id::text || ' %' and b <> known.id::text || ' ' || known.kind) then
      update record_type set unit = known.unit where id = known.id;
    end if;
  end loop;
end $$;
