import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { buildApp } from '../../build-app.ts';
import { readSettings } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { noWords } from '../arguments/arguments.ts';
import type { Command } from '../command.ts';
import { describeRuntime } from '../describe-runtime.ts';

export const openapiCommand: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    noWords(invocation);
    const config = { ...readSettings(), logLevel: 'silent' as const };
    const { app } = await buildApp(describeRuntime(config, createLogger(config.logLevel)), {
      modules: gatewayModules,
    });
    await app.ready();
    const document = await app.openapi();
    await app.close();
    invocation.print(document, [JSON.stringify(document, null, 2)]);
    return 0;
  },
};
