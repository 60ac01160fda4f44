import type { Ecosystem } from "../facts.ts";
import { GO } from "./go.ts";
import { NPM, NPM_OTHERS } from "./npm.ts";
import { PYPI, PYPI_OTHERS } from "./pypi.ts";
import { RUST } from "./rust.ts";

const LISTS: Partial<Record<Ecosystem, { readonly targets: string; readonly others: string }>> = {
  npm: { targets: NPM, others: NPM_OTHERS },
  pip: { targets: PYPI, others: PYPI_OTHERS },
  go: { targets: GO, others: "" },
  rust: { targets: RUST, others: "" },
};

/** Names that are worth being mistaken for, and others that look like them and are well in use themselves. */
export function wellKnownNames(ecosystem: Ecosystem): { readonly targets: readonly string[]; readonly others: readonly string[] } {
  const { targets = "", others = "" } = LISTS[ecosystem] ?? {};
  return { targets: words(targets), others: words(others) };
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
