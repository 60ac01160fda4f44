import { describe, expect, it } from "vitest";
import { vendoredCodeRule } from "../../../../src/gate/rules/vendored-code.ts";
import { ask, deletion, severities, write } from "../fixtures.ts";

const rule = vendoredCodeRule();

describe("code of packages in the repository", () => {
  it.each([
    "vendor/github.com/sirupsen/logrus/entry.go",
    "services/a/vendor/golang.org/x/net/http2/server.go",
    "vendor/composer/autoload_files.php",
    "vendor/autoload.php",
    "vendor/bundle/ruby/3.2.0/gems/rack/lib/rack.rb",
    "vendor/cache/rack-3.0.8.gem",
    ".venv/lib/python3.12/site-packages/requests/api.py",
    "env/lib/site-packages/x.py",
    "Vendor/GitHub.com/a/b/c.go",
    ".yarn/cache/lodash-npm-4.17.21.zip",
    "ios/Pods/AFNetworking/a.m",
  ])("is not edited at %s", async (path) => {
    expect(severities(await ask(rule, write(path)))).toEqual(["block"]);
  });

  it.each([
    "vendor/jquery.min.js",
    "vendor/README.md",
    "src/vendor/index.ts",
    "app/vendor/assets/logo.svg",
    "docs/venv.md",
    "src/pods.ts",
    "lib/vendor/lib/x.c",
  ])("is nothing that %s would be", async (path) => {
    expect(await ask(rule, write(path))).toEqual([]);
  });

  it("may be removed", async () => {
    expect(await ask(rule, deletion("vendor/github.com/a/b/c.go"))).toEqual([]);
  });
});
