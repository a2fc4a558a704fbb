import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/** What became of the lines of a file: how many of each status. */
export type Outcomes = Readonly<Record<string, number>>;

/** Sends a file of lines as a provider's program does. @throws {Error} for any answer but 200 */
export async function sendLines(url: string, key: string, file: string): Promise<Outcomes> {
  const { size } = await stat(file);
  const call = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-ndjson',
      'content-length': size,
    },
  });
  const answered = new Promise<Outcomes>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (answer) => {
      outcomesOf(answer, answer.statusCode === 200).then(resolve, reject);
    });
  });
  await pipeline(createReadStream(file), call);
  return answered;
}

async function outcomesOf(lines: NodeJS.ReadableStream, isGood: boolean): Promise<Outcomes> {
  const outcomes: Record<string, number> = {};
  for await (const line of createInterface({ input: lines })) {
    if (!isGood) throw new Error(line);
    const { status } = JSON.parse(line) as { status: string };
    if (status === 'refused' && outcomes['refused'] === undefined) process.stderr.write(`${line}\n`);
    outcomes[status] = (outcomes[status] ?? 0) + 1;
  }
  return outcomes;
}
