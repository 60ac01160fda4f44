/** What somebody asks for with one word about a pull request, first version. A change of meaning gets a new constant, so that runs can be compared. */
export const HELP_1 = {
  explain:
    "Explain this: what the thread is about, and how the code that it concerns works. For a pull request: what it changes, why, which paths through the code are affected, and what a reader would stumble over. Name places as path:line, as you have read them. Begin with the answer in two or three sentences. Change nothing.",
  describe:
    "Propose a title and a description for this pull request, from what it changes and not from what its present text claims; where the two differ, say so at the end. Answer with nothing but: a first line `Title: …`, in the style of the repository's commits; an empty line; and the body in Markdown, after the repository's template where there is one: what changes and why, what to look at first, how it was tested as far as the change shows it, what may break. You do not edit the pull request: a person takes over what they like. Change nothing.",
  tests:
    "Write the tests that this pull request's change lacks. Look how the repository tests (framework, folders, names) and do as it does; test behaviour that the change brings, first the cases in which it could go wrong; change nothing but tests. Run them. A test that fails because the change is wrong is a finding: say so, and do not bend it until it passes. Publish with gh_commit_changes. Where this run can publish nothing, answer with the tests as code, each below the path it belongs to.",
  changelog:
    "Write the changelog entry for this pull request. Find the repository's changelog (CHANGELOG.md, a folder of change files such as .changeset or changelog.d, the notes of the last release) and follow its form, section and tense; say what users notice, not how it was done. Add it where unreleased changes stand, touch no other entry, and publish with gh_commit_changes. Where there is no changelog, or this run can publish nothing, answer with the entry as text.",
} as const;

/** What else a run that is asked so is told, behind the difference. */
export const HELP_PARTS_1 =
  "The difference is too large for one message: this is part 1. Read further ones with read_diff, the riskiest come first; say in your answer what you have not read.";
