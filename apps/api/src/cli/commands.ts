import type { Command, CommandGroup } from './command.ts';
import { auditCommand } from './commands/audit.ts';
import { autopayCommand } from './commands/autopay.ts';
import { brandCommand } from './commands/brand.ts';
import { customerCommand } from './commands/customer.ts';
import { dbCommand } from './commands/db.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { gatewayCommand } from './commands/gateway.ts';
import { importCommand } from './commands/import.ts';
import { loginCodeCommand } from './commands/login-code.ts';
import { mailCommand } from './commands/mail.ts';
import { mappingCommand } from './commands/mapping.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openapiCommand } from './commands/openapi.ts';
import { paymentsCommand } from './commands/payments.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { resellerCommand } from './commands/reseller.ts';
import { serveCommand, startCommand, workCommand } from './commands/run-server.ts';
import { ssoCommand } from './commands/sso.ts';
import { userCommand } from './commands/user.ts';

/** Every command of `counterfoil`, in the order of `counterfoil help`. */
export const commands: readonly (Command | CommandGroup)[] = [
  startCommand,
  serveCommand,
  workCommand,
  migrateCommand,
  demoCommand,
  importCommand,
  mappingCommand,
  resellerCommand,
  brandCommand,
  customerCommand,
  userCommand,
  ssoCommand,
  loginCodeCommand,
  auditCommand,
  gatewayCommand,
  mailCommand,
  paymentsCommand,
  autopayCommand,
  reconcileCommand,
  dbCommand,
  doctorCommand,
  openapiCommand,
];
