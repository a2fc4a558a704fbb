import pg from 'pg';

const WARM = 1;
const ROUNDS = 7;

/** Adds up the records of all customers. @returns how long it took, ms a round */
export async function sumAll(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const times: number[] = [];
    for (let round = -WARM; round < ROUNDS; round += 1) {
      const begun = performance.now();
      await client.query(`
        select record_type_id, count(*), sum(units), sum(price) from usage_record group by record_type_id`);
      if (round >= 0) times.push(performance.now() - begun);
    }
    return times;
  } finally {
    await client.end();
  }
}
