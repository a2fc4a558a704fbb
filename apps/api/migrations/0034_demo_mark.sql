-- A reseller of the demo world. Its users have a published password: see docs/adr/0040-where-a-demo-world-may-be.md.
alter table reseller add column is_demo boolean not null default false;

-- Worlds made before this mark are known by their users, whose ids are the same everywhere and nobody else's.
update reseller r set is_demo = true
 where exists (select from app_user u
                where u.reseller_id = r.id
                  and u.id = any(array[
                    '018cc251-f400-7000-b438-8bee9821538f', '018cc251-f400-7000-af8d-0492814ac860',
                    '018cc251-f400-7000-be16-e1a0ab6f13f9', '018cc251-f400-7000-bc02-0dea774eb7b0',
                    '018cc251-f400-7000-b118-c22800c7f1d7', '018cc251-f400-7000-bf68-ace7dd5e9ec2',
                    '018cc251-f400-7000-b98e-eff7f4b49525', '018cc251-f400-7000-b2ee-d1dd497aaceb',
                    '018cc251-f400-7000-aaaa-af772f6b3a78', '018cc251-f400-7000-b124-47031074cf9e',
                    '018cc251-f400-7000-8538-d26ab0eca1f7', '018cc251-f400-7000-988e-8a19f082e74f',
                    '018cc251-f400-7000-a014-0eb4fc00e82f', '018cc251-f400-7000-8af9-d52d46d80675',
                    '018cc251-f400-7000-9509-e0bcfcd45071', '018cc251-f400-7000-9cd1-b60372f466e5',
                    '018cc251-f400-7000-a015-dff203c61060', '018cc251-f400-7000-bd92-7417118dd24c']::uuid[]));
