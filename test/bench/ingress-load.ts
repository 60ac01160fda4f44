/** A process that sends signed deliveries and measures their answers: run by `ingress.ts` beside the server, so that each has its own processor time. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { comment, issue, payload } from "../unit/triggers/payloads.ts";

export interface Load {
  readonly url: string;
  /** What the delivery ids begin with. */
  readonly name: string;
  readonly secret: string;
  readonly deliveries: number;
  readonly connections: number;
}

export interface Measured {
  /** Milliseconds, of each delivery in the order in which they were answered. */
  readonly latencies: readonly number[];
  readonly seconds: number;
  /** Milliseconds of this process. */
  readonly cpuMs: number;
  /** Answers other than 2xx. */
  readonly refused: number;
}

/** Characters that a real delivery has more than the fields that are read: addresses of its repository and accounts. */
const FILLER = "https://api.example.org/repos/acme/widgets/".repeat(250);

async function run({ url, name, secret, deliveries, connections }: Load): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const made = Array.from({ length: deliveries }, (_, at) => {
    const body = JSON.stringify({
      ...payload("created", { issue: { ...issue, number: at + 1 }, comment: comment("@sallyport fix this") }),
      filler: FILLER,
    });
    return {
      body,
      signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      id: `${name}-${at}`,
    };
  });
  const latencies: number[] = [];
  let refused = 0;
  let next = 0;
  const send = ({ body, signature, id }: (typeof made)[number]): Promise<void> =>
    new Promise((resolve, reject) => {
      const begun = performance.now();
      const sent = request(url, {
        agent,
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "x-github-event": "issue_comment",
          "x-github-delivery": id,
          "x-hub-signature-256": signature,
          "user-agent": "GitHub-Hookshot/bench",
        },
      });
      sent.once("error", reject);
      sent.once("response", (answer) => {
        answer.resume();
        answer.once("end", () => {
          latencies.push(performance.now() - begun);
          if ((answer.statusCode ?? 0) >= 300) refused += 1;
          resolve();
        });
      });
      sent.end(body);
    });
  const before = process.cpuUsage();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let one = made[next++]; one !== undefined; one = made[next++]) await send(one);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  agent.destroy();
  return { latencies, seconds, refused, cpuMs: (user + system) / 1000 };
}

const [load] = (await once(process, "message")) as [Load];
const measured = await run(load);
process.send?.(measured, () => process.disconnect());
