/** The sandbox's environment, read once. All faults are reported together. */
import { isAbsolute, resolve } from 'node:path';
import { readWebhook, type WebhookAtStart } from '@counterfoil/sandbox/webhooks.ts';

export interface SandboxSettings {
  readonly host: string;
  readonly port: number;
  readonly directory: string;
  /** Address in links and scripts; absent: `http://127.0.0.1:<port>`. */
  readonly publicUrl: string | undefined;
  readonly portalOrigins: readonly string[];
  readonly webhooks: readonly WebhookAtStart[];
}

const defaultOrigins = 'http://localhost:*,http://*.localhost:*,http://127.0.0.1:*';

/** @throws {Error} with one line that names every bad setting */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const faults: string[] = [];
  const port = Number(env['SANDBOX_PORT'] || 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults.push('SANDBOX_PORT is no port number');
  const publicUrl = env['SANDBOX_URL']?.replace(/\/+$/, '') || undefined;
  if (publicUrl !== undefined && !URL.canParse(publicUrl)) faults.push('SANDBOX_URL is no address');
  const directory = env['SANDBOX_DIR'] || '.data/sandbox';
  const webhooks = readWebhooks(env['SANDBOX_WEBHOOKS'], faults);
  if (faults.length > 0) throw new Error(faults.join('; '));
  return {
    host: env['SANDBOX_HOST'] || '127.0.0.1',
    port,
    directory: isAbsolute(directory) ? directory : resolve(directory),
    publicUrl,
    portalOrigins: (env['PORTAL_ORIGINS'] || defaultOrigins)
      .split(/[\s,]+/)
      .filter((origin) => origin !== ''),
    webhooks,
  };
}

function readWebhooks(text: string | undefined, faults: string[]): WebhookAtStart[] {
  if (text === undefined || text.trim() === '') return [];
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) throw new Error('not a list');
    return parsed.map((entry: unknown) => readWebhook(entry));
  } catch {
    faults.push('SANDBOX_WEBHOOKS is no JSON list of {gateway, url, secret, account?}');
    return [];
  }
}
