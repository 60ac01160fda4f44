import { describe, expect, it, test } from "vitest";
import { readLayer } from "../../../src/config/read-layer.ts";
import { readToolServers } from "../../../src/config/tool-servers.ts";

const VARIABLES = { DOCS_TOKEN: "t0ken-of-docs", EMPTY: "", PRIVATE_KEY: "the key", OPENAI_API_KEY: "sk-1", SALLYPORT_RECEIPT_KEY: "pem" };
const read = (mcp: string) => {
  const reading = readLayer(`mcp: ${mcp}\n`, "server");
  if (reading.status !== "good") throw new Error("the file has a fault");
  return readToolServers(reading.settings.mcp, VARIABLES);
};

describe("tool servers of the configuration", () => {
  it("get what references stand for, which is held", () => {
    const { servers, secrets } = read(
      "{ docs: { url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer ${DOCS_TOKEN}', Accept-Language: english } }, local: { command: run, args: [a], env: { T: '${DOCS_TOKEN}', MODE: production, API_KEY: literal-key }, read: [get_*] } }",
    );
    expect(servers).toEqual([
      {
        name: "docs",
        read: [],
        url: "https://docs.example/mcp",
        headers: { Authorization: "Bearer t0ken-of-docs", "Accept-Language": "english" },
      },
      {
        name: "local",
        read: ["get_*"],
        command: "run",
        args: ["a"],
        env: { T: "t0ken-of-docs", MODE: "production", API_KEY: "literal-key" },
      },
    ]);
    expect(new Set(secrets)).toEqual(new Set(["t0ken-of-docs", "Bearer t0ken-of-docs", "literal-key"]));
  });

  test.each([
    ["${MISSING}", "mcp.a.env.X refers to the variable MISSING, which is not set."],
    ["${EMPTY}", "mcp.a.env.X refers to the variable EMPTY, which is not set."],
    ["${PRIVATE_KEY}", "mcp.a.env.X refers to PRIVATE_KEY, which is Sallyport's own secret."],
    ["${OPENAI_API_KEY}", "mcp.a.env.X refers to OPENAI_API_KEY, which is Sallyport's own secret."],
    ["${SALLYPORT_RECEIPT_KEY}", "mcp.a.env.X refers to SALLYPORT_RECEIPT_KEY, which is Sallyport's own secret."],
  ])("stop the start for %s", (value, message) => {
    expect(() => read(`{ a: { command: run, env: { X: '${value}' } } }`)).toThrow(message);
  });
});
