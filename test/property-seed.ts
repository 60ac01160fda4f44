import { configureGlobal } from "fast-check";

/** CI tries the same cases every time, so that a change is judged and not a throw of dice; everywhere else each run looks at new ones. */
if (process.env["CI"] !== undefined) configureGlobal({ seed: 20_261_130 });
