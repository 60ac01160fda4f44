import { parentPort } from "node:worker_threads";
import { messageOf } from "../../core/errors.ts";
import { sameThreadScanner } from "./scanner.ts";
import type { ScanAnswer, ScanQuestion } from "./worker-scanner.ts";

/** The thread that looks for secrets: one question at a time, each answered or ended from outside. */
const scanner = sameThreadScanner();

parentPort?.on("message", (question: ScanQuestion) => {
  const report = question.ask === "shapes" ? scanner.shapes(question.input) : scanner.held(question.input, question.question);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, and no window
  const answer = (one: ScanAnswer): void => parentPort?.postMessage(one);
  report.then(
    (found) => answer({ report: found }),
    (error: unknown) => answer({ error: messageOf(error) }),
  );
});
