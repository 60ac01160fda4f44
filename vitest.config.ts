import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // What an extension imports means this checkout; outside of tests the loader sees to that.
  resolve: {
    alias: [
      { find: /^sallyport$/, replacement: fileURLToPath(new URL("src/index.ts", import.meta.url)) },
      { find: /^sallyport\/testing$/, replacement: fileURLToPath(new URL("src/testing.ts", import.meta.url)) },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/property-seed.ts"],
    typecheck: { enabled: true, include: ["test/types/**/*.test-d.ts"], checker: "tsc", tsconfig: "./tsconfig.json" },
    // Tests start git, sandboxes and databases for real; two cores carry two at a time (of three, each takes twice as long).
    // Time is no verdict here: it only ends what hangs.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
