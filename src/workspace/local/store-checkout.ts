import type { Store } from "../store.ts";
import type { Checkout } from "./open-checkout.ts";

/** A bare store as a checkout whose commits are named by their ids alone. */
export function storeCheckout({ git, gitDir }: Pick<Store, "git" | "gitDir">): Checkout {
  return {
    git,
    gitDir,
    root: gitDir,
    async resolve(name) {
      const tree = (await git.text(["rev-parse", "--verify", "--end-of-options", `${name}^{tree}`], { gitDir })).trim();
      return { name, commit: name, tree };
    },
    resolveRange: () => Promise.reject(new TypeError("ranges are for checkouts")),
  };
}
