import picomatch from "picomatch";
import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import { fold } from "../names.ts";
import type { GateRule } from "../rule.ts";

const NAME = "vendored-code";

/** Folders that package managers fill: what lies there runs as the package it seems to be. A plain `vendor/x.js` is nobody's package. */
const FILLED = picomatch(
  [
    "**/vendor/*.*/*/**",
    "**/vendor/{composer,bin,bundle,cache}/**",
    "**/vendor/autoload.php",
    "**/{site-packages,dist-packages}/**",
    "**/{.venv,venv,.virtualenv}/**",
    "**/{.pnpm-store,jspm_packages,web_modules}/**",
    "**/.yarn/{cache,unplugged}/**",
    "**/{Carthage/{Build,Checkouts},Pods}/**",
  ],
  { dot: true, nocase: true },
);

/** Installed packages that lie in the repository: changing them changes a dependency behind its version. */
export function vendoredCodeRule(): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged) =>
      filesOf(judged).flatMap(({ path, after }): Finding[] => {
        if (after === undefined || !FILLED(path.split("/").map(fold).join("/"))) return [];
        const why = "it is a package's own code, which no version or hash stands for when it is edited here";
        return [
          { rule: NAME, severity: "block", where: { path }, why, fix: "Change the manifest; a person vendors packages with their tool." },
        ];
      }),
  };
}
