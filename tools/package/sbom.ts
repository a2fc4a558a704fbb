import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import type { LockFile } from '../checks/lockcheck.ts';
import { dependenciesOf } from './closure.ts';

/** What is packaged. */
export interface Packaged {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * A software bill of materials: every library that an installation holds, with its version, licence and the hash that it was
 * installed by, and which needs which.
 * @param paths of the lock file: what the server loads, what is built into the portal, the pinned Node
 * @returns CycloneDX 1.6 as JSON, the same for the same lock file
 */
export function billOfMaterials(lock: LockFile, paths: readonly string[], packaged: Packaged): string {
  const components = new Map(paths.map((path) => [path, componentOf(lock, path)]));
  for (const [path, { dependencies }] of components)
    for (const other of dependenciesOf(lock, path)) {
      const needed = components.get(other);
      if (needed !== undefined) dependencies.add(needed.bomRef);
    }
  const product = new Models.Component(Enums.ComponentType.Application, packaged.name, {
    version: packaged.version,
    bomRef: packaged.name,
    licenses: licences(packaged.license),
  });
  for (const [path, { bomRef }] of components) if (isOwn(path)) product.dependencies.add(bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: product }),
    components: new Models.ComponentRepository(components.values()),
  });
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 1 })}\n`;
}

/** A workspace of the project, not something that was installed. */
const isOwn = (path: string): boolean => !path.includes('node_modules/');

function componentOf(lock: LockFile, path: string): Models.Component {
  const { name: given, version = '', license, integrity } = lock.packages[path] ?? {};
  const full = given ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full];
  return new Models.Component(Enums.ComponentType.Library, name ?? full, {
    bomRef: path,
    version,
    ...(group === undefined ? {} : { group }),
    ...(isOwn(path) ? {} : { purl: `pkg:npm/${full.replace('@', '%40')}@${version}` }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    ...(license === undefined ? {} : { licenses: licences(license) }),
  });
}

/** @param integrity of the lock file: `sha512-` and the hash in base64 */
function hashesOf(integrity: string): Models.HashDictionary {
  const [, hash = ''] = /^sha512-(\S+)/.exec(integrity) ?? [];
  return new Models.HashDictionary([
    [Enums.HashAlgorithm['SHA-512'], Buffer.from(hash, 'base64').toString('hex')],
  ]);
}

function licences(text: string): Models.LicenseRepository {
  const expression = text.replaceAll(' or ', ' OR ');
  const licence = SPDX.isSupportedSpdxId(expression)
    ? new Models.SpdxLicense(expression)
    : / (OR|AND) /.test(expression) && !/ IN /.test(expression)
      ? new Models.LicenseExpression(expression)
      : new Models.NamedLicense(text);
  return new Models.LicenseRepository([licence]);
}
