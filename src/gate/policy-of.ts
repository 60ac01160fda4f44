import type { GateSettings } from "../config/gate-policy.ts";
import type { GatePolicy } from "./policy.ts";

/** The gate's policy as its configuration has it. */
export function policyOf({ protected: paths, limits, hosts, vulnerabilities, dependencies, impact, advisories }: GateSettings): GatePolicy {
  return {
    protected: paths,
    hosts,
    impact,
    vulnerabilities,
    dependencies: { newPackages: dependencies.new, allow: dependencies.allow, deny: dependencies.deny },
    advisories,
    limits: {
      files: limits.files,
      bytes: limits.bytes,
      deletedShare: limits.deleted_share,
      pullRequests: limits.pull_requests,
      comments: limits.comments,
    },
  };
}
