/** What each built-in rule is about, in one sentence: for readers of a report that know only its name. */
const RULE_TEXTS: Readonly<Record<string, string>> = {
  gate: "The gate itself: what cannot be read or judged does not go on.",
  workspace: "What no commit can hold, or what could not be looked at.",
  containment: "Nothing leaves the repository's own tree, and only regular files change.",
  "git-internals": "Files that git itself takes orders from.",
  "file-names": "A name must be seen for what it is, and must not become another file's on some machine.",
  operations: "What leaves is addressed to the run's own thread, branch or pull request.",
  size: "What people can review and GitHub can take.",
  "protected-paths": "Files that act before anybody has reviewed them.",
  "ci-files": "What CI and container engines carry out does not endanger the repository or a machine.",
  dumps: "No memory of processes and no packed repositories are published.",
  unicode: "A file says what it shows: nothing hidden, nothing that reads as something else.",
  "lifecycle-scripts": "Scripts that package managers run without being asked.",
  "vendored-code": "Installed packages that lie in the repository are not edited there.",
  manifests: "A manifest or lockfile can be read, and has one reading.",
  registries: "Packages come from their registry, or from where they came before.",
  lockfiles: "A lockfile changes only together with what it pins.",
  dependencies: "Which packages come in, under which names.",
  vulnerabilities: "No version with a known vulnerability comes in.",
  impact: "A change that much code leans on is looked at by a person.",
  "held-secrets": "Nothing holds a part of a secret of this process.",
  output: "No text calls people, closes issues, moves other bots, hides something or leads elsewhere.",
  secrets: "Nothing that has the shape of a credential is published.",
};

/** The sentence for a rule; one that is not built in has none but its name. */
export function ruleText(rule: string): string {
  return Object.hasOwn(RULE_TEXTS, rule) ? (RULE_TEXTS[rule] ?? "") : `The rule ${rule} of an extension.`;
}
