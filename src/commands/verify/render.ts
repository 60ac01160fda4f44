import type { Receipt } from "../../receipts/statement.ts";
import type { Verified } from "../../receipts/verify.ts";

/** A verdict on a receipt as people read it. */
export function renderVerified(verified: Verified): string {
  if (verified.status === "bad") return `BAD: ${verified.why}\n`;
  if (verified.status === "unjudged") return `NOT JUDGED: ${verified.why}.\n${HOW}\n`;
  const { receipt, commit, tree, proves, provesNot } = verified;
  const lines = [
    `GOOD: the receipt of run ${receipt.run.id}`,
    "",
    `  commit     ${commit}`,
    ...(tree === undefined ? [] : [`  tree       ${tree}`]),
    ...told(receipt),
    "",
    "What this shows:",
    ...proves.map((one) => `- ${one}`),
    "What it does not show:",
    ...provesNot.map((one) => `- ${one}`),
  ];
  return `${lines.join("\n")}\n`;
}

const HOW =
  "Keys are given with --key, as a file or an https address (/.well-known/sallyport-keys.json of the bot's server); docs/receipts.md says more.";

function told({ run, repository, thread, actor, models, read, gate, approvals, tests, usage, product }: Receipt): readonly string[] {
  const about = thread === 0 ? repository.name : `${repository.name}#${thread}`;
  const verdicts = gate.decisions.map(({ operation, verdict, findings }) => {
    const rules = [...new Set(findings.map(({ rule }) => rule))];
    return `${operation} ${verdict}${rules.length === 0 ? "" : ` (${rules.join(", ")})`}`;
  });
  const unread = read.unread.length === 0 ? "" : `, ${read.unread.length} not read to the end`;
  return [
    `  run        ${run.kind} on ${about}, asked by ${actor.login}, ended ${run.end}`,
    `  model      ${models.join(", ") || "none"}`,
    `  read       ${read.files.length + read.filesLeftOut} files by name${unread}`,
    `  gate       ${verdicts.join("; ") || "nothing was judged"}`,
    ...(approvals.length === 0 ? [] : [`  approvals  ${approvals.map(({ id, by, answer }) => `${id} ${answer} by ${by}`).join("; ")}`]),
    ...(tests === undefined ? [] : [`  tests      ${tests.command}: ${tests.ended}${tests.isOutdated ? ", before the last change" : ""}`]),
    `  used       ${usage.input + usage.output} tokens in ${usage.answers} answers${usage.usd === undefined ? "" : `, $${usage.usd.toFixed(4)}`}`,
    `  made by    ${product.name} ${product.version}`,
  ];
}
