#!/usr/bin/env node
/**
 * `counterfoil <command>` from any folder, also through a link of its own in a folder of programs. Plain JavaScript for
 * the Node the machine has; tools/run.mjs hands over to the pinned one. File names are relative to where the caller is.
 */
import process from 'node:process';

process.env['INIT_CWD'] = process.cwd();
process.argv.splice(2, 0, 'counterfoil');
await import('../tools/run.mjs');
