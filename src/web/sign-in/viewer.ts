import type { IncomingMessage } from "node:http";
import type { Access } from "../access.ts";
import type { NavLink } from "../layout.ts";
import { isOwnRequest, readForm } from "./requests.ts";
import type { Seal } from "./seal.ts";
import type { Person, SignInDoor } from "./sign-in.ts";

/** Who looks, and in whose name they would act. */
export interface Viewer {
  /** They see all pages of the dashboard. */
  readonly seesAll: boolean;
  readonly answersAs: Person | "operator" | undefined;
  /** Whether people can sign in through GitHub here. */
  readonly canSignIn: boolean;
  /** What makes a form of this page good. */
  readonly formKey: string;
  readonly links: readonly NavLink[];
}

/** Seconds for which a form is good. */
const FORM_FOR = 60 * 60;

/** Tells who sends a request, and whether a form of theirs is one that they were given. */
export interface Viewers {
  /** Undefined for whoever is nobody here. `about` names what the page's form is for. */
  of(request: IncomingMessage, access: Access, about: string): Viewer | undefined;
  /** The form that a page of ours gave this very person, about this; undefined for every other. `most` bytes, a few thousand when left out. */
  ownForm(request: IncomingMessage, who: Viewer["answersAs"], about: string, most?: number): Promise<URLSearchParams | undefined>;
  /** Any form of a page of ours, for this person. */
  anyForm(request: IncomingMessage, who: Viewer["answersAs"]): Promise<URLSearchParams | undefined>;
}

export function createViewers({
  seal,
  signIn,
  links,
}: {
  readonly seal: Seal;
  readonly signIn?: SignInDoor;
  readonly links: readonly NavLink[];
}): Viewers {
  async function readOwn(
    request: IncomingMessage,
    isWanted: (key: string) => boolean,
    most?: number,
  ): Promise<URLSearchParams | undefined> {
    if (!isOwnRequest(request)) return undefined;
    const form = await readForm(request, most);
    const key = form === undefined ? undefined : seal.open("form", form.get("key") ?? "");
    return key !== undefined && isWanted(key) ? form : undefined;
  }
  return {
    of(request, access, about) {
      const person = signIn?.personOf(request);
      if (!access.ok && person === undefined) return undefined;
      // A person's own name says more than the operator's. Being on this machine is nobody's name.
      const answersAs = person ?? (access.ok && access.by === "token" ? "operator" : undefined);
      return {
        seesAll: access.ok,
        answersAs,
        canSignIn: signIn !== undefined,
        formKey: seal.close("form", formOf(answersAs, about), FORM_FOR),
        links,
      };
    },
    ownForm: (request, who, about, most) => readOwn(request, (key) => key === formOf(who, about), most),
    anyForm: (request, who) => readOwn(request, (key) => key.startsWith(formOf(who, ""))),
  };
}

/** A form is good for whom it was made, about what it was made for. */
function formOf(who: Viewer["answersAs"], about: string): string {
  return `${who === undefined ? "nobody" : who === "operator" ? "operator" : who.id} ${about}`;
}
