import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/property-seed.ts"],
    typecheck: { enabled: true, include: ["test/types/**/*.test-d.ts"], checker: "tsc", tsconfig: "./tsconfig.json" },
    // Tests start git, sandboxes and databases for real; two cores carry two at a time.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
