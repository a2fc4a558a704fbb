/** The parts of package-lock.json (version 3) that are checked. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  /** Of our own packages, and of those that are installed by another name. */
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Finds what npm leaves out of a lock file without saying so. A package that was published before all of its
 * per-platform parts gets a lock file that installs here and nowhere else.
 * @returns one line per fault; empty when the file is complete, pinned by content and free of addresses
 */
export function lockFaults(lock: LockFile): string[] {
  const faults: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = path || 'the project';
    for (const part of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isLocked(lock, path, part))
        faults.push(`${name}: its optional part ${part} is not in the lock file`);
    }
    if (entry.resolved?.includes('://')) faults.push(`${name}: holds the download address ${entry.resolved}`);
    if (isDownloaded(path, entry) && !entry.integrity) faults.push(`${name}: has no integrity`);
  }
  return faults;
}

/** Looks where Node would: beside the package, then in every `node_modules` above it. */
function isLocked(lock: LockFile, path: string, part: string): boolean {
  if (lock.packages[path ? `${path}/node_modules/${part}` : `node_modules/${part}`]) return true;
  if (!path) return false;
  const above = path.lastIndexOf('/node_modules/');
  return isLocked(lock, above < 0 ? '' : path.slice(0, above), part);
}

function isDownloaded(path: string, entry: LockEntry): boolean {
  return path.includes('node_modules/') && !entry.link && !entry.inBundle;
}

/** Where the project is meant to start by what npm installs. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * Finds packages with native parts that have none for one of the platforms.
 * @returns one line per fault
 */
export function platformFaults(lock: LockFile): string[] {
  return Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) => {
    const parts = Object.keys(optionalDependencies);
    const has = (platform: string) => parts.some((name) => new RegExp(`[-/]${platform}(-gnu)?$`).test(name));
    if (!platforms.some(has)) return [];
    const lacking = platforms.filter((platform) => !has(platform));
    return lacking.map((platform) => `${path || 'the project'}: has no part for ${platform}`);
  });
}
