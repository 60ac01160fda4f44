import type { Arrival } from "../../core/arrivals.ts";
import type { Wish } from "./wish.ts";

/** The App that was created, without its secrets. */
export interface CreatedApp {
  readonly name: string;
  readonly slug: string;
  /** `https://github.com/apps/<slug>` */
  readonly htmlUrl: string;
  /** The file that holds its credentials. */
  readonly file: string;
  readonly hook: Wish["hook"];
}

/** How far the setup has come once there is an App. */
export interface Progress {
  readonly app: CreatedApp;
  readonly server:
    | { readonly state: "starting" }
    | { readonly state: "ready"; readonly url: string }
    | { readonly state: "failed"; readonly why: string };
  /** The first delivery that arrived. */
  readonly first?: Arrival;
  /** Something else than a ping has come: the App is installed. */
  readonly isInstalled: boolean;
}
