import type { Route } from "../route.ts";
import { MANIFEST_ROUTES } from "../manifests.ts";
import { ACTIONS_ROUTES } from "./actions.ts";
import { APP_ROUTES } from "./app.ts";
import { BRANCH_ROUTES } from "./branches.ts";
import { CHECK_RUN_ROUTES } from "./check-runs.ts";
import { CODE_SCANNING_ROUTES } from "./code-scanning.ts";
import { COMMIT_ROUTES } from "./commits.ts";
import { DELIVERY_ROUTES } from "./deliveries.ts";
import { CONTENT_ROUTES } from "./contents.ts";
import { GIT_OBJECT_ROUTES } from "./git-objects.ts";
import { ISSUE_COMMENT_ROUTES } from "./issue-comments.ts";
import { ISSUE_ROUTES } from "./issues.ts";
import { LABEL_ROUTES } from "./labels.ts";
import { PULL_ROUTES } from "./pulls.ts";
import { REACTION_ROUTES } from "./reactions.ts";
import { REFERENCE_ROUTES } from "./references.ts";
import { REPOSITORY_ROUTES } from "./repositories.ts";
import { REVIEW_COMMENT_ROUTES } from "./review-comments.ts";
import { REVIEW_ROUTES } from "./reviews.ts";
import { TAG_ROUTES } from "./tags.ts";

/** Every route that is served. The first that fits answers, so the longer of two paths stands first. */
export const ROUTES: readonly Route[] = [
  ...APP_ROUTES,
  ...MANIFEST_ROUTES,
  ...DELIVERY_ROUTES,
  ...REPOSITORY_ROUTES,
  ...BRANCH_ROUTES,
  ...REFERENCE_ROUTES,
  ...TAG_ROUTES,
  ...ACTIONS_ROUTES,
  ...GIT_OBJECT_ROUTES,
  ...CHECK_RUN_ROUTES,
  ...CODE_SCANNING_ROUTES,
  ...COMMIT_ROUTES,
  ...CONTENT_ROUTES,
  ...REACTION_ROUTES,
  ...ISSUE_COMMENT_ROUTES,
  ...LABEL_ROUTES,
  ...ISSUE_ROUTES,
  ...REVIEW_COMMENT_ROUTES,
  ...REVIEW_ROUTES,
  ...PULL_ROUTES,
];
