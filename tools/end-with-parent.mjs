/**
 * Loaded before the program by run.mjs. The channel to the parent closes when the parent ends, even when it is
 * killed: then the program is asked to end, and ended if it does not.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** As long as a server may take for its stop, besides the pause in which it answers on. */
const graceMs = 20_000 + (Number(process.env['STOP_PAUSE_MS']) || 5_000);

// Not in the shared temporary directory, where others could put code of theirs.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compile'));
if (process.channel) {
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
  });
  // Being ready to hear is no reason to stay alive.
  process.channel.unref();
}
