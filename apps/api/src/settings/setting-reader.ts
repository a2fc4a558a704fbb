import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import type { S3Settings } from '../files/s3-store.ts';
import type { TlsAddress } from '../tls.ts';
import { credentialsFault } from './address-credentials.ts';

/** One or more settings are wrong. `message` is one line that names each of them. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads settings one by one, and keeps what is wrong with them until all are read. */
export class SettingReader {
  readonly #env: Env;
  readonly #faults: string[] = [];

  constructor(env: Env) {
    this.#env = env;
  }

  has(name: string): boolean {
    return this.text(name) !== undefined || this.text(`${name}_FILE`) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  integer(name: string, standard: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return standard;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    this.fault(`${name} must be a whole number from ${min} to ${max}`);
    return standard;
  }

  /** Days for which something is kept; 0: for ever. @param least fewer would take away what work still needs */
  keptDays(name: string, standard: number, least: number): number {
    const days = this.integer(name, standard, 0, 36_500);
    if (days > 0 && days < least) this.fault(`${name} must be 0, which is for ever, or at least ${least}`);
    return days;
  }

  flag(name: string, standard: boolean | undefined): boolean | undefined {
    const text = this.text(name);
    if (text === undefined) return standard;
    if (text === '1' || text === 'true') return true;
    if (text !== '0' && text !== 'false') this.fault(`${name} must be 1 or 0`);
    return false;
  }

  oneOf<T extends string>(name: string, values: readonly T[], standard: T): T {
    const text = this.text(name);
    if (text === undefined) return standard;
    const found = values.find((value) => value === text);
    if (found === undefined) this.fault(`${name} must be one of ${values.join(', ')}`);
    return found ?? standard;
  }

  url(name: string, schemes: readonly string[]): URL | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = URL.parse(text);
    if (url !== null && schemes.includes(url.protocol)) return url;
    this.fault(
      `${name} must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
    return undefined;
  }

  /** An address whose scheme and port stand in links: without user, path, query and fragment. */
  plainUrl(name: string, schemes: readonly string[]): URL | undefined {
    const url = this.url(name, schemes);
    if (url !== undefined && url.href !== `${url.origin}/`)
      this.fault(`${name} must be without user, path, query and fragment, such as ${url.origin}`);
    return url;
  }

  /** The path of a folder, from where the program was started. */
  folder(name: string, cwd: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : resolve(cwd, text);
  }

  /** A folder of this machine, or a bucket. */
  filesUrl(name: string): URL | undefined {
    const url = this.url(name, ['file:', 's3:']);
    try {
      if (url?.protocol === 'file:') fileURLToPath(url);
      const isBucket = url?.protocol !== 's3:' || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname);
      if (isBucket) return url;
    } catch {
      // Said below.
    }
    this.fault(
      `${name} must be a folder of this machine, such as file:///srv/files/, or a bucket, such as s3://bucket/prefix`,
    );
    return undefined;
  }

  /** By the names that the tools of S3 have for them. */
  s3(): S3Settings {
    const accessKeyId = this.text('AWS_ACCESS_KEY_ID');
    const secretAccessKey = this.secret('AWS_SECRET_ACCESS_KEY', 1);
    if (accessKeyId === undefined || secretAccessKey === undefined)
      this.fault('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required with FILES_URL s3://');
    return {
      endpoint: this.url('AWS_ENDPOINT_URL', ['https:', 'http:'])?.href,
      region: this.text('AWS_REGION') ?? 'us-east-1',
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: secretAccessKey ?? '',
      sessionToken: this.text('AWS_SESSION_TOKEN'),
    };
  }

  mailAddress(name: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined && !isMailAddress(text))
      this.fault(`${name} must be a mail address alone, such as billing@example.com`);
    return text;
  }

  /** An address with what is demanded of connections to it. */
  demandingUrl(
    name: string,
    schemes: readonly string[],
    demand: (url: URL) => TlsAddress,
  ): string | undefined {
    const misread = credentialsFault(name, this.text(name) ?? '');
    if (misread !== undefined) {
      this.fault(misread);
      return undefined;
    }
    const url = this.url(name, schemes);
    if (url === undefined) return undefined;
    const address = demand(url);
    if ('href' in address) return address.href;
    this.fault(address.fault);
    return undefined;
  }

  secret(name: string, minLength: number): string | undefined {
    const file = this.text(`${name}_FILE`);
    let value = this.text(name);
    if (file !== undefined) {
      try {
        value = readFileSync(file, 'utf8').trim();
      } catch (error) {
        const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        this.fault(`${name}_FILE cannot be read: ${file} (${why})`);
        return undefined;
      }
    }
    if (value !== undefined && value.length < minLength) {
      this.fault(`${name} must have at least ${minLength} characters`);
      return undefined;
    }
    return value;
  }

  gatewayUrls(): Map<string, string> {
    const urls = new Map<string, string>();
    for (const name of Object.keys(this.#env)) {
      const id = /^GATEWAY_URL_([A-Z0-9_]+)$/.exec(name)?.[1];
      const url = id === undefined ? undefined : this.url(name, ['http:', 'https:']);
      if (id !== undefined && url !== undefined) urls.set(id, url.href.replace(/\/$/, ''));
    }
    return urls;
  }

  fault(text: string): void {
    this.#faults.push(text);
  }

  finish(): void {
    if (this.#faults.length > 0) throw new BadConfig(`bad settings: ${this.#faults.join('; ')}`);
  }
}
