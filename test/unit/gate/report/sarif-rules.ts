/**
 * SARIF 2.1.0 as far as the gate writes it, and strictly: what GitHub's code scanning asks for, and nothing that is not written down here.
 * Sources: https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json and
 * https://docs.github.com/code-security/reference/code-scanning/sarif-support-for-code-scanning
 */
const text = { type: "object", properties: { text: { type: "string", minLength: 1 } }, required: ["text"], additionalProperties: false };
const level = { enum: ["none", "note", "warning", "error"] };
const closed = (properties: Readonly<Record<string, unknown>>, optional: readonly string[] = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const rule = closed({
  id: { type: "string", minLength: 1, maxLength: 255 },
  shortDescription: text,
  fullDescription: text,
  help: text,
  defaultConfiguration: closed({ level }),
  properties: closed({ tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 10 } }),
});

const location = closed({
  physicalLocation: closed(
    {
      // RFC 3986: a relative reference, its odd characters in percent form.
      artifactLocation: closed({
        uri: { type: "string", pattern: "^(?!/)(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$" },
        uriBaseId: { const: "%SRCROOT%" },
      }),
      region: closed({ startLine: { type: "integer", minimum: 1 } }),
    },
    ["region"],
  ),
});

const result = closed({
  ruleId: { type: "string", minLength: 1 },
  ruleIndex: { type: "integer", minimum: 0 },
  level,
  message: text,
  locations: { type: "array", items: location, minItems: 1, maxItems: 1 },
  partialFingerprints: closed({ primaryLocationLineHash: { type: "string", pattern: "^[0-9a-f]{32}:[1-9][0-9]*$" } }),
  properties: closed({ severity: { enum: ["BLOCK", "ASK", "WARN", "INFO"] } }),
});

export const SARIF_SCHEMA = closed({
  $schema: { const: "https://json.schemastore.org/sarif-2.1.0.json" },
  version: { const: "2.1.0" },
  runs: {
    type: "array",
    minItems: 1,
    maxItems: 1,
    items: closed({
      tool: closed({
        driver: closed({
          name: { type: "string", minLength: 1 },
          semanticVersion: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" },
          rules: { type: "array", items: rule, uniqueItems: true },
        }),
      }),
      automationDetails: closed({ id: { type: "string", pattern: "/$" } }),
      columnKind: { const: "utf16CodeUnits" },
      invocations: { type: "array", items: closed({ executionSuccessful: { type: "boolean" } }), minItems: 1 },
      results: { type: "array", items: result, maxItems: 25_000 },
      properties: closed({
        verdict: { enum: ["pass", "ask", "block"] },
        subject: { type: "string" },
        baseCommit: { type: "string", pattern: "^[0-9a-f]{40}$" },
        leftOut: { type: "integer", minimum: 0 },
      }),
    }),
  },
});
