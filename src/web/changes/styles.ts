/** The part of the stylesheet for run pages and approvals: differences, forms, and what hides. */
export const CHANGE_STYLES = `
.lead { font-size: 1.05rem; margin-bottom: var(--s4); }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.file { margin: var(--s4) 0; border: 1px solid var(--line); border-radius: var(--round); }
.file h3 { padding: var(--s2) var(--s3); background: var(--panel); border-radius: var(--round); font: 600 var(--small)/1.5 var(--code); }
.file h3 .quiet { font: 400 var(--small)/1.5 var(--text); margin-left: var(--s2); }
.file > p, .file > .findings { margin: var(--s2) var(--s3); }
.diff { position: relative; }
.diff td:last-child { width: 100%; }
.diff td { border: 0; padding: 0 var(--s2); overflow-wrap: anywhere; }
.diff td:nth-child(-n + 2):not([colspan]) { min-width: 2.75rem; color: var(--quiet); font: 0.75rem/1.8 var(--code); text-align: right; user-select: none; }
.diff code { display: block; white-space: pre-wrap; padding-left: 1ch; text-indent: -1ch; unicode-bidi: isolate; direction: ltr; tab-size: 4; }
.diff .added { background: var(--plus); }
.diff .removed { background: var(--minus); }
.diff .gap td { padding: var(--s1) var(--s3); color: var(--quiet); background: var(--panel); font-size: 0.8rem; }
.diff .end code { color: var(--quiet); font-style: italic; }
.diff .finding td { padding: var(--s2) var(--s3); background: var(--panel); border-left: 3px solid var(--held); }
.hidden-character { display: inline-block; text-indent: 0; margin: 0 1px; padding: 0 0.3em; border-radius: 0.2rem; color: var(--ground); background: var(--bad); font: 600 0.7rem/1.5 var(--code); unicode-bidi: isolate; }
.findings { list-style: none; padding: 0; }
.findings li { padding: var(--s1) 0; overflow-wrap: anywhere; }
.lead, .timeline, .note { overflow-wrap: anywhere; }
.timeline > li { padding: var(--s4) 0; }
.timeline details { margin: var(--s1) 0; }
.timeline summary { color: var(--ink); font-size: 0.95rem; }
form { margin: var(--s3) 0; }
.look-up { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; margin: var(--s2) 0; padding: 0 0.6rem; }
.look-up input:not([type="hidden"]) { width: 16rem; max-width: 100%; margin: 0; }
.answer { display: flex; flex-wrap: wrap; gap: var(--s3); align-items: center; }
td .findings { margin: 0; }
button.second { color: var(--ink); background: transparent; border-color: var(--quiet); }
button.second:hover { background: var(--panel); }
button.plain { min-height: 1.5rem; padding: 0; color: var(--link); background: none; border: 0; font-weight: 400; text-decoration: underline; text-underline-offset: 0.15em; }
#live::before { content: ""; display: inline-block; width: 0.5rem; height: 0.5rem; margin-right: 0.4rem; border: 2px solid currentColor; border-radius: 50%; }
#live[data-state="on"]::before { border-color: var(--good); background: var(--good); }
#live[data-state="lost"]::before { border-color: var(--bad); }
@media (max-width: 36rem) {
  .diff td:nth-child(1):not([colspan]) { display: none; }
  .diff td:nth-child(2):not([colspan]) { min-width: 2.2rem; padding: 0 0.3rem; }
}
`;
