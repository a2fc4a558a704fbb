/** Runs npm, and says in one line what is wrong when it fails. */
import { root } from './node.mjs';
import { finish, run } from './process.mjs';

const unreachable =
  /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|UND_ERR\w+|FETCH_ERROR|E5\d\d|E429)$/;
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_/;

/**
 * Installs what the lock file of a folder says, exactly; ends this process with one line when that fails.
 * @param node the Node that runs npm, and the directory of its program where it is not the one on the PATH
 */
export async function npmCi(folder, node, path) {
  const npm = process.env['npm_execpath'];
  const [command, ...first] = npm && /\.c?js$/.test(npm) ? [node, npm] : ['npm'];
  const install = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=warn'];
  const options = {
    cwd: folder,
    stdio: ['ignore', 2, 'pipe'],
    env: path ? { PATH: path } : {},
    // npm tries on for minutes, file by file, and says so by warnings alone.
    isHopeless: isFull,
  };
  // The lock file holds no addresses, so npm asks for each package where it is; what it remembers is usually
  // enough and saves a third of the time. Where that is too old, it asks.
  let end = await run(command, [...install, '--prefer-offline'], options);
  if (end.code !== 0 && !end.signal) end = await run(command, install, options);
  if (end.code === 0 && !isFull(end.errors)) return;
  if (end.signal && !isFull(end.errors)) finish(end);
  process.stderr.write(`${npmFault(end.errors)}\n`);
  process.exit(end.code || 1);
}

/** @returns one line: what is wrong and what to do, from what npm wrote to standard error */
export function npmFault(errors) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(errors)?.[1] ?? '';
  if (isFull(errors)) {
    return `The disk is full: installing takes about 1 GB in ${root} and as much in npm's cache. Make room and run the same again.`;
  }
  if (/^(EACCES|EPERM|EROFS)$/.test(code)) {
    const path = /npm (?:error|ERR!) path (.+)/.exec(errors)?.[1] ?? root;
    return `npm may not write to ${path} (${code}): give this account the right to, or run as the one that owns it.`;
  }
  if (untrusted.test(code)) {
    return `npm does not trust the certificate of its registry (${code}): set cafile in npm's settings (npm config set cafile <file>).`;
  }
  if (unreachable.test(code)) {
    return `npm does not reach its registry (${code}): look at the network and at npm's settings (npm config get registry, npm config get proxy), then run the same again.`;
  }
  if (code === 'EINTEGRITY') {
    return 'A package is not the one the lock file names (EINTEGRITY): empty the cache of npm (npm cache clean --force), or ask who runs your registry.';
  }
  if (/spawn npm ENOENT/.test(errors))
    return 'There is no npm here: install it beside Node, then run the same again.';
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  const said = lines.find(
    (line) => line !== '' && !line.startsWith('npm warn') && !/^(code|errno|syscall|path|dest) /.test(line),
  );
  const log = /[^\s]+debug-\d+\.log/.exec(errors)?.[0];
  return `npm could not install the packages: ${said ?? 'it said nothing'}${log ? ` (all of it: ${log})` : ''}`;
}

function isFull(errors) {
  return /\b(ENOSPC|EDQUOT)\b/.test(errors);
}
