import { CHANGE_STYLES } from "./changes/styles.ts";

/** The one stylesheet of all pages. Colours never say anything that a word beside them does not. */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  --ground: #fff; --ink: #1c2127; --quiet: #545d68; --line: #d4d9df; --panel: #f4f6f8; --link: #0b57b8; --mark: #e7effa;
  --good: #1a6b37; --bad: #b3261e; --held: #8a4600; --busy: #0b57b8;
  --plus: #e3f5e8; --minus: #fdeceb;
  --s1: 0.25rem; --s2: 0.5rem; --s3: 0.75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2.25rem;
  --round: 0.375rem; --small: 0.875rem;
  --text: system-ui, sans-serif; --code: ui-monospace, "Cascadia Code", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181d; --ink: #e4e8ec; --quiet: #a3adb8; --line: #39424c; --panel: #1d232a; --link: #82b7ff; --mark: #1f3149;
    --good: #79d493; --bad: #ff9d94; --held: #ffbd70; --busy: #82b7ff;
    --plus: #15301f; --minus: #3a1c1c;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: var(--s4); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 var(--text); }
main { max-width: 66rem; margin: 0 auto; padding: var(--s4) var(--s4) var(--s6); }
main:focus { outline: none; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: var(--s4); top: var(--s2); z-index: 1; padding: var(--s1) var(--s3); background: var(--ground); }

.top { display: flex; flex-wrap: wrap; gap: 0 var(--s5); align-items: center; max-width: 66rem; margin: 0 auto; padding: var(--s2) var(--s4) 0; }
.top::after { content: ""; flex-basis: 100%; border-bottom: 1px solid var(--line); }
.name { font-weight: 700; letter-spacing: -0.01em; padding: var(--s2) 0; }
.top ul { display: flex; flex-wrap: wrap; gap: 0 var(--s1); list-style: none; margin: 0 0 0 -0.6rem; padding: 0; }
.top li a { display: flex; align-items: center; min-height: 2.75rem; padding: 0 0.6rem; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; }
.top li a:hover { color: var(--ink); border-color: var(--line); }
.top li a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--link); }
.icon { flex: none; vertical-align: -0.15em; margin-right: 0.4rem; }

h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -0.01em; margin: var(--s4) 0 var(--s3); overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: var(--s6) 0 var(--s2); }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0.4rem 0; max-width: 46rem; }
ul, ol { padding-left: 1.25rem; margin: 0.4rem 0; }
pre, code { font: var(--small)/1.5 var(--code); overflow-wrap: anywhere; }
pre { margin: 0.4rem 0; padding: var(--s2) var(--s3); white-space: pre-wrap; background: var(--panel); border-radius: var(--round); }
.said { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.4rem 0; max-width: 46rem; }
.quiet, time, .facts { color: var(--quiet); font-size: 0.9rem; }
.notice, .empty { padding: var(--s3) var(--s4); background: var(--panel); border-radius: var(--round); }
.note { padding: var(--s2) var(--s3); background: var(--panel); border-left: 3px solid var(--held); }

.filters { display: grid; gap: var(--s1); margin: var(--s3) 0 var(--s4); }
.filters ul { display: flex; flex-wrap: wrap; gap: var(--s1); list-style: none; padding: 0; margin: 0; }
.filters a { display: inline-block; padding: 0.2rem 0.6rem; border-radius: 1rem; text-decoration: none; }
.filters a:hover { background: var(--panel); }
.filters a[aria-current] { color: var(--ink); background: var(--mark); font-weight: 600; }
.filters p { margin: 0.2rem 0.6rem; }
.pager { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); margin: var(--s4) 0; }

.runs, .timeline, .log { list-style: none; padding: 0; }
.runs > li, .timeline > li, .log > li { border-top: 1px solid var(--line); padding: var(--s3) 0; }
.runs p, .log p { margin: 0; max-width: none; overflow-wrap: anywhere; }
.word { display: inline-block; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.85rem; font-weight: 600; text-decoration: none; white-space: nowrap; }
a.word:hover { background: var(--panel); }
.done, .ok, .allow, .approved { color: var(--good); }
.failed, .error, .block, .denied { color: var(--bad); }
.blocked, .waiting, .out-of-budget, .ask, .warn { color: var(--held); }
.queued, .working { color: var(--busy); }
.row-head { display: flex; flex-wrap: wrap; gap: 0 var(--s4); justify-content: space-between; align-items: baseline; }

dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem var(--s4); margin: 0.4rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
dd pre { margin: 0; }
summary { cursor: pointer; padding: 0.15rem 0; overflow-wrap: anywhere; }
.tiles { grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: var(--s3); margin: var(--s4) 0; }
.tiles div { padding: var(--s3) var(--s4); background: var(--panel); border-radius: var(--round); }
.tiles dt { font-size: var(--small); }
.tiles dd { font-size: 1.4rem; line-height: 1.3; font-weight: 600; font-variant-numeric: tabular-nums; }
.tiles .beside { display: block; font-size: var(--small); font-weight: 400; color: var(--quiet); }

.wide { overflow-x: auto; margin: var(--s2) 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); font-size: 0.9rem; padding-bottom: var(--s1); }
th, td { padding: 0.4rem var(--s3) 0.4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { color: var(--quiet); font-size: var(--small); font-weight: 600; border-top: 0; }
tbody th { font-weight: 400; min-width: 9rem; overflow-wrap: anywhere; }
td time { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.number:last-child { padding-right: 0; }
.number + :not(.number) { padding-left: var(--s4); }
.meter { display: block; width: 7rem; height: 0.6rem; margin-top: 0.45rem; background: var(--panel); }

figure { margin: var(--s3) 0; }
figcaption { font-weight: 600; margin-bottom: var(--s2); }
.plot { display: grid; grid-template-columns: auto 1fr; gap: 0.35rem var(--s2); color: var(--quiet); font-size: 0.8rem; font-variant-numeric: tabular-nums; }
.plot svg { display: block; width: 100%; height: 10rem; border-bottom: 1px solid var(--quiet); background: linear-gradient(var(--line), var(--line)) top / 100% 1px no-repeat, linear-gradient(var(--line), var(--line)) center / 100% 1px no-repeat; }
.plot .up { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -0.6rem 0; }
.plot .along { grid-column: 2; display: flex; justify-content: space-between; }
.legend { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); list-style: none; padding: 0; font-size: 0.9rem; }
.swatch { width: 0.8rem; height: 0.8rem; vertical-align: -0.05em; margin-right: 0.35rem; }
.fill-main { fill: var(--busy); }
.fill-good { fill: var(--good); }
.fill-held { fill: var(--held); }
.fill-bad { fill: var(--bad); }

.field { margin: 1.1rem 0; max-width: 36rem; }
label { font-weight: 600; }
input, textarea { width: 100%; margin-top: 0.3rem; padding: var(--s2) 0.6rem; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--quiet); border-radius: var(--round); }
textarea { display: block; max-width: 46rem; font: var(--small)/1.5 var(--code); resize: vertical; }
input[aria-invalid="true"] { border-color: var(--bad); }
button { min-height: 2.5rem; padding: var(--s2) 1.2rem; font: inherit; font-weight: 600; color: var(--ground); background: var(--link); border: 1px solid var(--link); border-radius: var(--round); cursor: pointer; }
.steps { display: flex; flex-wrap: wrap; gap: var(--s1) 2rem; list-style-position: inside; padding: 0; margin: var(--s3) 0 var(--s4); color: var(--quiet); }
.steps [aria-current] { color: var(--ink); font-weight: 700; }

@media (max-width: 36rem) {
  h1 { font-size: 1.35rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.4rem; }
  .tiles { grid-template-columns: 1fr 1fr; gap: var(--s2); }
  .tiles dd { margin: 0; }
  .top ul { margin-left: -0.5rem; }
  .top li a { padding: 0 0.5rem; }
}
@media (prefers-reduced-motion: no-preference) { a, summary, button { transition: background-color 0.12s, border-color 0.12s; } }
@media (forced-colors: active) { .plot rect, .swatch rect, .meter rect { forced-color-adjust: none; } }
@media print {
  :root { color-scheme: light; --ground: #fff; --ink: #000; --quiet: #444; --line: #bbb; --panel: #f4f6f8; --link: #000; }
  nav, .skip, .pager, button { display: none; }
  main, .top { max-width: none; padding-left: 0; padding-right: 0; }
  li, tr, figure { break-inside: avoid; }
}
${CHANGE_STYLES}`;
