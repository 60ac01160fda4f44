import { describe, it } from "vitest";
import { z } from "zod";
import { ok } from "../../src/core/result.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const named = { name: "x", description: "", parameters: z.object({ path: z.string().describe("A path.") }) };

describe("defineTool", () => {
  it("gives a read tool nothing to change anything with", () => {
    defineTool({
      ...named,
      effect: "read",
      async handler({ path }, context) {
        await context.workspace.read(path);
        // @ts-expect-error not through the inner door
        await context.write(path, undefined);
        // @ts-expect-error and not past it
        await context.workspace.write(path, new Uint8Array());
        // @ts-expect-error and nothing to publish with
        await context.publisher.commit("message");
        return ok("");
      },
    });
  });

  it("gives a write tool the door and the publisher", () => {
    defineTool({
      ...named,
      effect: "write",
      async handler({ path }, context) {
        await context.write(path, undefined);
        await context.publisher.commit("message");
        return ok("");
      },
    });
  });

  it("holds a handler to its schema, its result and its effect", () => {
    // @ts-expect-error there is no such argument
    defineTool({ ...named, effect: "read", handler: ({ file }) => ok(String(file)) });
    // @ts-expect-error a result is not a bare text
    defineTool({ ...named, effect: "read", handler: () => "done" });
    // @ts-expect-error there is no third effect
    defineTool({ ...named, effect: "delete", handler: () => ok("") });
  });
});
