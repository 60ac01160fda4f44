import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../../../src/testing/github/routes/routes.ts";
import { startEmbeddedGitHub } from "../../../../src/testing/index.ts";
import type { Exchange, Stage } from "./exchange.ts";
import { EXCHANGES, setStage } from "./exchanges.ts";
import { api, appToken } from "./world.ts";

type Answers = Readonly<Record<string, object | null>>;
const FIXTURE = new URL("../../../fixtures/openapi/github.json", import.meta.url);
const described = JSON.parse(readFileSync(FIXTURE, "utf8")) as { operations: Record<string, Answers>; components: object };
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ components: described.components }, "github");

/** What GitHub's description says an answer looks like; null for one without a body. Errors that it does not list are plain ones. */
function schemaOf({ route, status }: Exchange): object | null {
  // The description says of this list alone that an account is a person and an enterprise in one; a single installation has it right.
  if (route === "GET /app/installations") return { type: "array", items: { $ref: "#/components/schemas/installation" } };
  const answers = described.operations[route === "GET /repos/{owner}/{repo}/contents" ? `${route}/{+path}` : route];
  if (!answers) throw new Error(`${route} is not in the fixture: run scripts/openapi-fixture.ts again.`);
  const schema = answers[status];
  if (schema === undefined && status < 400) throw new Error(`${route} is not described with status ${status}.`);
  // Of some errors it lists the status alone.
  return schema === undefined || (schema === null && status >= 400) ? { $ref: "#/components/schemas/basic-error" } : schema;
}

/** What the manifest asks for, and what reruns of failed jobs and code scanning need beside it. */
const GRANTED = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  actions: "write",
  security_events: "write",
  metadata: "read",
} as const;

describe("the embedded GitHub's answers", () => {
  let stage: Stage;
  let token = "";
  const folder = mkdtempSync(join(tmpdir(), "sallyport-openapi-"));

  beforeAll(async () => {
    stage = await setStage(await startEmbeddedGitHub({ directory: folder, permissions: GRANTED }));
    token = stage.from.addToken();
  });
  afterAll(async () => {
    await stage.from.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(EXCHANGES.map((exchange) => ({ ...exchange, name: [exchange.route, exchange.about].filter(Boolean).join(", ") })))(
    "fit GitHub's description: $name with $status",
    async ({ name: _name, ...exchange }) => {
      const { from } = stage;
      const credential = { app: appToken(from), installation: token, nobody: undefined }[exchange.as ?? "installation"];
      const body = exchange.body?.(stage);
      const answer = await api(from, `${exchange.route.split(" ")[0]} ${exchange.path(stage)}`, {
        ...(credential === undefined ? {} : { token: credential }),
        ...(body === undefined ? {} : { body }),
      });
      expect({ status: answer.status, message: answer.body.message }).toMatchObject({ status: exchange.status });
      expect(from.requests.at(-1)?.unrouted).toBeUndefined();
      const schema = schemaOf(exchange);
      if (schema === null) {
        expect(answer.text).toBe("");
        return;
      }
      const validate = ajv.compile({
        ...(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"github#/components')) as object),
      });
      validate(answer.body);
      expect(validate.errors ?? []).toEqual([]);
    },
    60_000,
  );

  it("are all looked at", () => {
    const looked = new Set(EXCHANGES.filter(({ status }) => status < 400).map(({ route }) => route));
    expect(ROUTES.map(({ method, template }) => `${method} ${template}`).filter((route) => !looked.has(route))).toEqual([]);
  });

  it("would be found out if they missed a field", () => {
    const validate = ajv.compile({ $ref: "github#/components/schemas/issue-comment" });
    expect(validate({ id: 1, body: "no author, no address" })).toBe(false);
  });
});
