import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import { addressFaults } from '@counterfoil/gateways/port/addresses.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { makeDataDir } from '@counterfoil/postgres/data-dir.ts';
import { unfinishedRestore } from '../../backup/unfinished.ts';
import { type Config, isLocal, isLoopback } from '../../config.ts';
import { addressesOf } from '../../demo/sandbox-addresses.ts';
import { folderOfFiles, openFileStore } from '../../files/open-file-store.ts';
import { ROOM_BYTES, roomOn } from '../../files/room.ts';
import { missingPages } from '../../http/pages/portal-files.ts';
import { withTimeout } from '../../with-timeout.ts';
import { filesFinding } from '../doctor/doctor-files.ts';
import { gatewayAddressFindings, mailFinding } from '../doctor/doctor-transport.ts';
import type { Finding } from '../doctor/finding.ts';
import { sayFileFault } from '../doctor/world-faults.ts';
import { type Check, EVERYTHING, SERVERS } from './check.ts';

/** What is there before the database is. */
export interface Machine {
  readonly config: Config;
  readonly modules: readonly Pick<GatewayModule, 'manifest'>[];
}

const LOW_BYTES = 1_000_000_000;

/** In the order of what depends on what. */
export const machineChecks: readonly Check<Machine>[] = [
  { stops: [], look: ({ config }) => settings(config) },
  { stops: SERVERS, look: gatewayAddresses },
  { stops: EVERYTHING, look: ({ config }) => [folder('DATA_DIR', config.dataDir)] },
  { stops: SERVERS, look: ({ config }) => restoration(config) },
  { stops: SERVERS, look: ({ config }) => room(config) },
  { stops: SERVERS, look: async ({ config }) => [await storedFiles(config)] },
  { stops: [], look: ({ config }) => [filesFinding(config)] },
  { stops: ['serve'], look: ({ config }) => [portal(config.webDist)] },
  { stops: [], look: async ({ config }) => [await mailFinding(config)] },
];

function settings(config: Config): readonly Finding[] {
  const isPlain = config.publicUrl.protocol === 'http:' && !isLoopback(config.publicUrl);
  const isShort = config.passwordMinLength < 8;
  return [
    { what: 'settings', is: 'ok', found: 'readable' },
    isPlain
      ? {
          what: 'PUBLIC_URL',
          is: 'warning',
          found: `${config.publicUrl.origin}: customers need https`,
        }
      : { what: 'PUBLIC_URL', is: 'ok', found: config.publicUrl.origin },
    { what: 'DEMO', is: 'ok', found: sayDemo(config) },
    {
      what: 'PASSWORD_MIN_LENGTH',
      is: isShort ? 'warning' : 'ok',
      found: `${config.passwordMinLength}`,
      ...(isShort ? { remedy: '12 or more is recommended' } : {}),
    },
  ];
}

function sayDemo(config: Config): string {
  if (config.demo === undefined && isLocal(config)) return "not said: 1 to 'npm start', 0 to all else";
  return config.demo === true ? 'demo world and gateway sandbox' : 'off';
}

/** Addresses that gateways cannot be called at, then those that are not safe. */
function gatewayAddresses({ config, modules }: Machine): readonly Finding[] {
  const faults = addressFaults(
    modules.map(({ manifest }) => manifest),
    addressesOf(config),
  );
  if (faults.length === 0) return gatewayAddressFindings(config);
  return [{ what: 'gateway addresses', is: 'fault', found: faults.join('; ') }];
}

/** Whether a folder can be written, or made where there is none yet. */
function folder(setting: 'DATA_DIR' | 'FILES_URL', path: string): Finding {
  const is = { what: setting } as const;
  try {
    const there = existing(path);
    if (!statSync(there).isDirectory())
      return {
        ...is,
        is: 'fault',
        found: `cannot use ${path} (${setting}): ${there} is a file`,
        remedy: 'name a folder',
      };
    accessSync(there, constants.W_OK | constants.X_OK);
    if (setting === 'DATA_DIR') makeDataDir(path);
    return { ...is, is: 'ok', found: `${path} is writable` };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const found = sayFileFault({ code, message, path }, undefined, setting);
    return { ...is, is: 'fault', found: found ?? `cannot use ${path} (${setting}): ${message}` };
  }
}

/** Whether stored files can be written where they are to be. */
async function storedFiles(config: Config): Promise<Finding> {
  const path = folderOfFiles(config);
  if (path !== undefined) return folder('FILES_URL', path);
  const { filesUrl, s3 } = config;
  const what = 'FILES_URL';
  const tooLate = 'the storage of FILES_URL does not answer';
  const fault = await withTimeout(STORAGE_WITHIN_MS, openFileStore(filesUrl, s3).fault(), tooLate);
  if (fault === undefined) return { what, is: 'ok', found: `${filesUrl.href} answers` };
  return { what, is: 'fault', found: fault, remedy: 'see FILES_URL in docs/operations.md' };
}

const STORAGE_WITHIN_MS = 10_000;

/** A backup whose restoration was broken off is no installation yet. */
function restoration({ dataDir }: Config): readonly Finding[] {
  const note = unfinishedRestore(dataDir);
  if (note === undefined) return [];
  return [
    {
      what: 'restore',
      is: 'fault',
      found: 'the restoration of a backup was broken off',
      remedy: `run 'counterfoil restore' again with the same file, or remove ${note} and begin with an empty installation`,
    },
  ];
}

const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)));

/** Whether there is room on the disks of both folders. What cannot be looked at is told by its own check. */
function room(config: Config): readonly Finding[] {
  const { dataDir } = config;
  const files = existing(folderOfFiles(config) ?? dataDir);
  const hasOwnDisk = statSync(files).dev !== statSync(dataDir).dev;
  const disks = [
    { setting: 'DATA_DIR', path: dataDir },
    { setting: 'FILES_URL', path: files },
  ];
  return disks.slice(0, hasOwnDisk ? 2 : 1).map(({ setting, path }) => {
    const free = roomOn(statfsSync(path));
    const found = `${formatBytes(free)} free on the disk of ${path} (${setting})`;
    if (free < ROOM_BYTES)
      return { what: 'disk', is: 'fault', found: `no room: ${found}`, remedy: 'make room there' };
    return free < LOW_BYTES
      ? { what: 'disk', is: 'warning', found, remedy: 'make room before it is full' }
      : { what: 'disk', is: 'ok', found };
  });
}

function portal(dist: string): Finding {
  const [missing] = missingPages(dist);
  if (missing === undefined) return { what: 'portal', is: 'ok', found: `built in ${dist}` };
  return {
    what: 'portal',
    is: 'fault',
    found: `the portal is not built: ${missing} is missing in ${dist} (WEB_DIST)`,
    remedy: "'node tools/run.mjs build-web' builds it",
  };
}
