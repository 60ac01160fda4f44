/** The small process behind `run-now.ts`: runs one program after the other, and ends when nobody can ask it any more. */
import { openSync, readSync, writeSync } from "node:fs";
import { framed, runWith, type RunNowRequest } from "./short-command.ts";

const [requestsPath = "", answersPath = ""] = process.argv.slice(2);
const answers = openSync(answersPath, "w");
const requests = openSync(requestsPath, "r");
write(Buffer.alloc(1));

for (;;) {
  const { input, most, ...command } = JSON.parse(read(read(4).readUInt32BE()).toString()) as RunNowRequest;
  const { stdout, stderr, ...end } = runWith({ ...command, input: input === undefined ? undefined : read(input) }, most);
  write(framed({ ...end, stdout: stdout.length, stderr: stderr.length }, stdout, stderr));
}

function read(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const count = readSync(requests, bytes, at, length - at, null);
    if (count === 0) process.exit();
    at += count;
  }
  return bytes;
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(answers, bytes, at);
}
