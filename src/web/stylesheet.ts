/** The one stylesheet of all pages. Colours never say anything that a word beside them does not. */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  --ground: #fff; --ink: #1c2127; --quiet: #545d68; --line: #d4d9df; --panel: #f4f6f8; --link: #0b57b8;
  --good: #1a6b37; --bad: #b3261e; --held: #8a4600; --busy: #0b57b8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181d; --ink: #e4e8ec; --quiet: #a3adb8; --line: #39424c; --panel: #1d232a; --link: #82b7ff;
    --good: #79d493; --bad: #ff9d94; --held: #ffbd70; --busy: #82b7ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 0.75rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; border-bottom: 1px solid var(--line); }
.name { font-weight: 700; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.icon { vertical-align: -0.15em; margin-right: 0.35rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.25rem 0.75rem; background: var(--ground); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.75rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 1.75rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0.4rem 0; }
ul, ol { padding-left: 1.25rem; margin: 0.4rem 0; }
pre, code { font: 0.875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0.4rem 0; padding: 0.5rem 0.75rem; white-space: pre-wrap; background: var(--panel); border-radius: 0.25rem; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.4rem 0; }
.quiet, time, .facts { color: var(--quiet); font-size: 0.9rem; }
.filters { display: grid; gap: 0.25rem; margin: 0.75rem 0; }
.filters ul { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; list-style: none; padding: 0; margin: 0; }
.filters a { display: inline-block; padding: 0.2rem 0; }
.filters a[aria-current] { color: var(--ink); font-weight: 700; }
.runs, .timeline { list-style: none; padding: 0; }
.runs > li, .timeline > li { border-top: 1px solid var(--line); padding: 0.6rem 0; }
.runs p { margin: 0; overflow-wrap: anywhere; }
.word { display: inline-block; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.85rem; font-weight: 600; }
.done, .ok, .allow { color: var(--good); }
.failed, .error, .block { color: var(--bad); }
.blocked, .waiting, .out-of-budget, .ask, .warn { color: var(--held); }
.queued, .working { color: var(--busy); }
.row-head { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; align-items: baseline; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 0.4rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
dd pre { margin: 0; }
summary { cursor: pointer; padding: 0.15rem 0; overflow-wrap: anywhere; }
.field { margin: 1.1rem 0; max-width: 36rem; }
label { font-weight: 600; }
input { width: 100%; margin-top: 0.3rem; padding: 0.5rem 0.6rem; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--quiet); border-radius: 0.25rem; }
input[aria-invalid="true"] { border-color: var(--bad); }
button { padding: 0.5rem 1.2rem; font: inherit; font-weight: 600; color: var(--ground); background: var(--link); border: 1px solid var(--link); border-radius: 0.25rem; cursor: pointer; }
.note { padding: 0.5rem 0.75rem; background: var(--panel); border-left: 3px solid var(--held); }
.steps { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; list-style-position: inside; padding: 0; margin: 0.75rem 0 1rem; color: var(--quiet); }
.steps [aria-current] { color: var(--ink); font-weight: 700; }
@media (max-width: 36rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.4rem; }
}
`;
