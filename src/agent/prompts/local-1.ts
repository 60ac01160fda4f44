/** The fixed words of a run on a local checkout, first version. A change of meaning gets a new constant. */
export const LOCAL_1 = {
  run: "This run works on a copy of a local checkout. There is no GitHub here and nothing is published by you: when the work is done, stop and say in a few words what you changed and why. What you changed is judged by the gate and left to the person as a branch.",
  review:
    "This run reviews a range of commits in a local checkout. There is no GitHub here: gh_review_pr (number 1) shows your remarks to the person. Your last words are shown as well.",
} as const;
