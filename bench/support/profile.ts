/** Arguments of Node for a server that is measured: with BENCH_PROFILE=<folder> it writes its CPU profile there when it ends. */
export function profileArgs(): readonly string[] {
  const folder = process.env['BENCH_PROFILE'];
  return folder === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', folder];
}
