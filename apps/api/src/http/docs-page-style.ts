/** The page's whole appearance; light or dark as the reader's system is. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #14181b);
  --raised: light-dark(#f4f6f7, #1d2327);
  --line: light-dark(#d3dade, #38434a);
  --ink: light-dark(#1a2226, #e8edf0);
  --quiet: light-dark(#4c5a62, #a9b7bf);
  --link: light-dark(#005e80, #7cc4e4);
  font: 16px/1.5 system-ui, sans-serif;
  background: var(--ground);
  color: var(--ink);
}
* { box-sizing: border-box; }
body { margin: 0; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; padding: 8px; background: var(--ground); }
header { padding: 24px 16px; border-bottom: 1px solid var(--line); }
header p { margin: 4px 0 0; color: var(--quiet); }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 24px; }
h2 { margin: 48px 0 8px; font-size: 20px; scroll-margin-top: 16px; }
main > section:first-child h2 { margin-top: 0; }
h3 { margin: 0; font: 600 16px/1.5 ui-monospace, monospace; }
h3 a, nav a { text-decoration: none; }
h3 a:hover, nav a:hover { text-decoration: underline; }
.page { max-width: 1200px; margin: 0 auto; padding: 24px 16px 96px; }
main { min-width: 0; }
main p { max-width: 72ch; margin: 8px 0; }
article { padding: 24px 0; border-top: 1px solid var(--line); scroll-margin-top: 8px; }
section, article { scroll-margin-top: 16px; }
.access { color: var(--quiet); }
.method { display: inline-block; min-width: 4.5ch; font-family: ui-monospace, monospace; font-weight: 700; color: var(--ink); }
code, pre { font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 16px; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; }
table { width: 100%; margin: 16px 0 0; border-collapse: collapse; table-layout: fixed; }
caption { padding: 8px 0; text-align: left; font-weight: 600; }
th, td { padding: 8px 8px 8px 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-size: 14px; font-weight: 400; }
th[scope="row"] { font-weight: 400; }
th:first-child { width: 38%; }
th:nth-child(2) { width: 24%; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav > ul > li { margin: 0 0 16px; }
nav > ul > li > a { font-weight: 600; }
nav li li a { display: block; padding: 4px 0; font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
@media (min-width: 960px) {
  .page { display: grid; grid-template-columns: 300px minmax(0, 1fr); gap: 48px; padding: 32px 24px 96px; }
  header { padding: 24px; }
  nav { position: sticky; top: 16px; align-self: start; max-height: calc(100vh - 32px); overflow-y: auto; }
}
@media print { nav, .skip { display: none; } }
`;
