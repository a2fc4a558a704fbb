import { isLocal } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readMarks } from '../../demo/marks.ts';
import type { Runtime } from '../../runtime.ts';
import type { Finding } from './finding.ts';

const MOST_NAMED = 20;

/** Whether a demo world stands where none may be, with its users and what takes them out. */
export async function demoWorld({ config, databases }: Runtime): Promise<readonly Finding[]> {
  const marks = await readMarks(databases.web);
  const isDemo = config.demo ?? isLocal(config);
  if (!marks.demo) {
    if (config.demo !== true || marks.others.length === 0) return [];
    return [
      {
        what: 'demo world',
        is: 'fault',
        found: `DEMO=1 is refused beside resellers of your own (${marks.others.join(', ')}): set DEMO=0`,
      },
    ];
  }
  if (isDemo && marks.others.length === 0)
    return [{ what: 'demo world', is: 'ok', found: 'all there is here' }];
  const users = await demoUsers(databases.web);
  const named = users.slice(0, MOST_NAMED).join(', ') + (users.length > MOST_NAMED ? ', …' : '');
  return [
    {
      what: 'demo world',
      is: 'fault',
      found:
        `${users.length} users whose password is published (${named}); they are refused without DEMO=1. ` +
        "'counterfoil demo remove' takes the whole demo world out",
    },
  ];
}

async function demoUsers(db: Db): Promise<readonly string[]> {
  const rows = await db.many<{ email: string }>(sql`
    select u.email from app_user u join reseller r on r.id = u.reseller_id and r.is_demo order by u.email`);
  return rows.map(({ email }) => email);
}
