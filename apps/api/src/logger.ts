import pino, { type Logger } from 'pino';
import type { LogLevel } from './config.ts';

// Names under which something secret could be logged by mistake.
const REDACTED = [
  'password',
  'oldPassword',
  'newPassword',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
  'cardNumber',
  'cardToken',
  'paymentMethodId',
  'cvc',
  'cardCode',
  'secret',
  'client_secret',
  'clientSecret',
  'otp',
  'recovery_code',
  'mfa_token',
];

/** JSON lines on standard output; secrets are taken out by name, one level deep and at the top. */
export function createLogger(level: LogLevel, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [...REDACTED, ...REDACTED.map((name) => `*.${name}`), 'req.headers'],
      censor: '[redacted]',
    },
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Name, message, code, stack and causes; not the other members, which may hold a request. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
