import { AttemptError } from "../core/errors.ts";

/** A call has asked people, and nobody has answered yet: the run ends its work here, and makes the call again once somebody has. */
export class WaitsForPeople extends AttemptError {
  constructor(approval: string) {
    super(`A call waits for approval ${approval}.`, { code: "waits-for-people" });
  }
}
