/**
 * Loaded into the measured server before everything else: makes its clock go faster, and answers what its memory holds at a socket.
 * The database's clock stays as it is.
 */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/** However fast the clock goes: rounds of the worker are not more frequent than that, for they do real work. */
const LEAST_MS = 1_000;

const socket = process.env['BENCH_DAY_SOCKET'];
const speed = Number(process.env['BENCH_DAY_SPEED']);
if (socket !== undefined && isMainThread) {
  // Processes and threads that the server starts are not measured.
  delete process.env['BENCH_DAY_SOCKET'];
  const clock = speedUpClock();
  const rounds = { count: 0 };
  shortenRounds(rounds);
  createServer(async (request, response) => {
    const answer = request.url === '/go' ? clock.go() : await sample();
    response.end(JSON.stringify({ ...answer, rounds: rounds.count }));
  })
    .listen(socket)
    .unref();
}

/** From `go` on a second is as many as the speed says, for whatever asks `Date`. */
function speedUpClock() {
  const Real = Date;
  let began;
  const now = () => {
    const real = Real.now();
    return began === undefined ? real : Math.floor(began + (real - began) * speed);
  };
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, as) => Reflect.construct(target, args.length === 0 ? [now()] : args, as),
    apply: () => new Real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return {
    go() {
      began ??= Real.now();
      return { now: began };
    },
  };
}

/** The pauses between rounds of the worker go by the fast clock; time limits of statements and requests stay real. */
function shortenRounds(rounds) {
  const { setTimeout } = globalThis;
  const shortened = (work, ms, ...args) => {
    // Only what a round itself sets: a statement of one sets its time limit somewhere below.
    const [, , caller = ''] = ms >= LEAST_MS ? (new Error('asked').stack ?? '').split('\n') : [];
    const isRound = /^\s+at (async )?round \(/.test(caller);
    if (!isRound) return setTimeout(work, ms, ...args);
    rounds.count += 1;
    return setTimeout(work, Math.max(LEAST_MS, ms / speed), ...args);
  };
  // With what makes promises of it.
  globalThis.setTimeout = Object.defineProperties(shortened, Object.getOwnPropertyDescriptors(setTimeout));
}

/** Bytes after everything that can be collected was, and what is open. */
async function sample() {
  // What finalisers let go of is collected the second time.
  for (let time = 0; time < 2; time += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo();
  return { rss, heapUsed, external, arrayBuffers, handles: handles.length };
}
