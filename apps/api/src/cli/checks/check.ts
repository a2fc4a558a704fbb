import { WorldFault } from '../../world-fault.ts';
import { type Finding, sayFinding } from '../doctor/finding.ts';

/** What begins: answering HTTP, running jobs, or any other command that works in the database. `start` is the first two. */
export type Beginning = 'serve' | 'work' | 'command';

/** One look at an installation. `doctor` takes all of them; what begins takes those whose faults stop it. */
export interface Check<World> {
  /** Whose beginning a fault stops; empty: it is only told. */
  readonly stops: readonly Beginning[];
  look(world: World): Promise<readonly Finding[]> | readonly Finding[];
}

export const EVERYTHING: readonly Beginning[] = ['serve', 'work', 'command'];
export const SERVERS: readonly Beginning[] = ['serve', 'work'];

/** All findings, in order: what depends on something comes after it. */
export async function lookAt<World>(
  checks: readonly Check<World>[],
  world: World,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check.look(world)));
  return findings;
}

/**
 * Takes the checks that stop what begins here, up to the first fault.
 * @throws {WorldFault} with that fault and its remedy
 */
export async function refuseFaults<World>(
  checks: readonly Check<World>[],
  world: World,
  begins: readonly Beginning[],
): Promise<void> {
  for (const check of checks.filter(({ stops }) => stops.some((one) => begins.includes(one)))) {
    const fault = (await check.look(world)).find(({ is }) => is === 'fault');
    if (fault !== undefined) throw new WorldFault(sayFinding(fault));
  }
}
