import { runCombinations } from './usage/combinations.ts';
import { openUsageData, type UsageData } from './usage/data/open.ts';
import { runExport } from './usage/export.ts';
import { runFirstDeep } from './usage/first-deep.ts';
import { runLoad } from './usage/load.ts';
import { runPages, setStage } from './usage/pages/run.ts';
import { runPeer } from './usage/peer.ts';
import { say } from './usage/report.ts';
import { runUnread } from './usage/unread.ts';

/**
 * Usage at scale: 10 million records of 200 customers (or USAGE_RECORDS), against 1 million, and against limits
 * measured in the same run. The databases are made once and kept (BENCH_DATA). USAGE_RUNS names the runs, else all:
 * combinations, first, pages, unread, load, export, peer. USAGE_PAGES takes only lists whose names contain it, e.g.
 * 'price, agreement'.
 */
const SMALL = 1_000_000;
const records = Number(process.env['USAGE_RECORDS'] || 10_000_000);
const runs = (process.env['USAGE_RUNS'] || 'combinations,first,pages,unread,load,export,peer').split(',');
const only = process.env['USAGE_PAGES'] ?? '';

const opened: UsageData[] = [];
const open = async (count: number): Promise<UsageData> => {
  const data = await openUsageData(count, say);
  opened.push(data);
  return data;
};

try {
  const data = await open(records);
  const small = runs.includes('pages') && records > SMALL ? await open(SMALL) : undefined;
  const needsPlaces = runs.some((run) => run !== 'combinations' && run !== 'first');
  const stage = await setStage(data, needsPlaces ? only : undefined);
  try {
    if (runs.includes('combinations')) await runCombinations(stage, only);
    if (runs.includes('first')) await runFirstDeep(stage);
    if (runs.includes('pages')) await runPages(stage, small, only);
    if (runs.includes('unread')) await runUnread(stage);
    if (runs.includes('load')) await runLoad(stage);
    if (runs.includes('export')) await runExport(stage);
    if (runs.includes('peer')) await runPeer(stage);
  } finally {
    await stage.stop();
  }
} finally {
  for (const data of opened) await data.stop();
}
