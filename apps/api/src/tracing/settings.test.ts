import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { statementName } from './statements.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';

it('traces only where an endpoint is set', () => {
  expect(readConfig({ OTEL_SERVICE_NAME: 'bills', TRACE_PARENT: '1' }).tracing).toBeUndefined();
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual({
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: {},
    serviceName: 'counterfoil',
    share: 1,
    takesParent: false,
  });
  const more = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%3Db, x-scope=1',
    OTEL_TRACES_SAMPLER_ARG: '.05',
  };
  expect(readConfig(more).tracing).toMatchObject({
    url: 'https://traces.example/otlp/v1/traces',
    headers: { 'api-key': 'a=b', 'x-scope': '1' },
    share: 0.05,
  });
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:s3cret@x.example' }, 'must be without user'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 's3cret' }, 'must be name=value'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'key=%0as3cret' }, 'must be name=value'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
])('refuses %j in words that show no secret', (env, words) => {
  let message = '';
  try {
    readConfig(env);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(words);
  expect(message).not.toContain('s3cret');
});

it.each([
  ['select a from invoice where id = $1', 'SELECT', 'invoice'],
  ['\n  insert into attempt (ref) values ($1)', 'INSERT', 'attempt'],
  ["update invoice set note = 'from mia'", 'UPDATE', 'invoice'],
  ["select 'taken from mia'", 'SELECT', undefined],
  ['with found as (select 1 from mia) select 1', 'WITH', undefined],
])('of %j tells %s and %s', (text, operation, table) => {
  expect(statementName(text)).toEqual({ operation, table });
});
