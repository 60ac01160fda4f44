import { span } from "./edit.ts";

const CI =
  "(?:ci|actions|cd|travis|circleci|azurepipelines|azpipelines|azp|appveyor|netlify|vercel|build|builds|deploy|deployment|release|codecov|checks|tests?|render|heroku|drone|woodpecker|semaphore|buildkite|jenkins|gitlab|pages|preview|bitrise)";
/** What makes CI services leave a commit out. Source: GitHub's "Skipping workflow runs", and the same page of others. */
const SKIP = new RegExp(`\\[[ \\t]*(?:skip[ _-]?${CI}|${CI}[ _-]?skip|no[ _-]?ci)[ \\t]*\\]|\\*\\*\\*NO_CI\\*\\*\\*`, "gi");
/** Lines that release tools and GitHub obey: a version, another commit message, checks to be left out. */
const ORDERS =
  /^[ \t]*(?:release-as[ \t]*:.*|skip-checks[ \t]*:.*|\+semver[ \t]*:.*|(?:BEGIN|END)_(?:COMMIT_OVERRIDE|NESTED_COMMIT)\b.*)$/gim;
/** Lines that say who stands behind a commit. */
const NAMES =
  /^[ \t]*(?:(?:co-?authored|co-developed|signed-off|reviewed|acked|tested|approved|verified|reported|suggested|requested|committed|merged|authored|helped)-by|on-behalf-of)[ \t]*:.*$/gim;

/** Why a commit message, or a text that may become one, may not be published as it stands; undefined when nothing in it is an order. */
export function findDirective(text: string): string | undefined {
  if (text.search(SKIP) >= 0) return "it would make CI skip the commit";
  if (text.search(ORDERS) >= 0) return "it holds a line that release tools or GitHub obey";
  if (text.search(NAMES) >= 0) return "it names people who stand behind the commit";
  return undefined;
}

/** The text with such orders still to be read and no longer obeyed: for texts that nobody can be asked to write anew. */
export function withoutDirectives(text: string): string {
  return text
    .replace(SKIP, (order) => `(${order.replace(/^[[* \t]+|[\]* \t]+$/g, "")})`)
    .replace(ORDERS, (line) => span(line.trim()))
    .replace(NAMES, (line) => span(line.trim()));
}
