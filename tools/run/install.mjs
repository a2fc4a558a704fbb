/** Installs what the lock file says, and does nothing where that is there already. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { nodePackage, root } from './node.mjs';
import { npmCi, npmFault } from './npm.mjs';

/** Runs `npm ci` unless what is installed is what the lock file says. */
export async function installIfNeeded() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (isInstalled(wanted)) return;
  process.stderr.write('Installing dependencies …\n');
  if (canInstall(wanted, process.versions.node)) return npmCi(root, process.execPath);
  const folder = join(root, '.cache', 'node');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const node = await fetchNode(wanted, folder);
  await npmCi(root, node, [dirname(node), process.env['PATH']].join(delimiter));
  remove();
}

/**
 * Compares the lock file with the list npm leaves in node_modules when it is done. Only optional packages may be
 * absent, those of other platforms, and this platform's Node shows that they were chosen here.
 */
function isInstalled(wanted) {
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const node = `node_modules/${nodePackage}`;
  const same = (path) => present[path] && present[path].integrity === wanted[path].integrity;
  const isPresent = (path) => (present[path] ? same(path) : wanted[path].optional && path !== node);
  return (
    Object.keys(present).length > 0 &&
    Object.keys(wanted).every((path) => !path.startsWith('node_modules/') || isPresent(path)) &&
    Object.keys(present).every((path) => wanted[path])
  );
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/**
 * Whether npm installs everything under this Node. It leaves out optional packages that do not name the Node it runs
 * on, and these are the native parts of the tools, which are then missed under every Node.
 * @param packages those of the lock file
 * @param version such as `22.11.0`
 */
export function canInstall(packages, version) {
  const ranges = Object.values(packages).map(({ optional, engines }) => (optional && engines?.node) || '>=0');
  return [...new Set(ranges)].every((range) => isInRange(version, range));
}

/** Knows `>=1.2.3` and `^1.2.3`, with fewer parts too, joined by `||`. A range in other words holds no version. */
function isInRange(version, range) {
  const have = version.split('.').map(Number);
  return range.split('||').some((part) => {
    const [, sign, text] = /^\s*(>=|\^)\s*(\d+(?:\.\d+){0,2})\s*$/.exec(part) ?? [];
    if (!text) return false;
    const least = text.split('.').map(Number);
    if (sign === '^' && have[0] !== least[0]) return false;
    const differs = have.findIndex((number, place) => number !== (least[place] ?? 0));
    return differs < 0 || have[differs] > (least[differs] ?? 0);
  });
}

/** Installs the pinned Node alone, of which any npm is capable. @returns its program, else the present one */
async function fetchNode(wanted, folder) {
  const entry = wanted[`node_modules/${nodePackage}`];
  if (!entry) return process.execPath;
  const { optional: _, ...locked } = entry;
  const project = { name: 'first-node', version: '1.0.0', dependencies: { [nodePackage]: entry.version } };
  const lock = { ...project, lockfileVersion: 3, requires: true };
  const packages = { '': project, [`node_modules/${nodePackage}`]: locked };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  } catch (error) {
    process.stderr.write(`${npmFault(`npm error code ${error.code}\nnpm error path ${folder}`)}\n`);
    process.exit(1);
  }
  await npmCi(folder, process.execPath);
  return join(folder, 'node_modules', nodePackage, 'bin', 'node');
}
