import { registerHooks } from 'node:module';

/** Says which packages of OpenTelemetry are loaded, for a test that looks at a process from outside. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) process.stderr.write(`loaded ${specifier}\n`);
    return next(specifier, context);
  },
});
