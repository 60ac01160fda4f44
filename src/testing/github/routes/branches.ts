import { page } from "../paginate.ts";
import { commitPayload } from "../payloads/commit.ts";
import { ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { branches, tip } from "../seed/repositories.ts";
import { apiUrl, webUrl } from "../urls.ts";

export const BRANCH_ROUTES = [
  repositoryRoute("GET /branches", ["contents"], (call) => {
    const { world, repository } = call;
    const wanted = call.query["protected"];
    const names = branches(world, repository).filter(
      (name) => wanted === undefined || String(repository.protectedBranches.has(name)) === wanted,
    );
    return page(call, names, (name) => {
      const sha = tip(world, repository, name) ?? "";
      return {
        name,
        commit: { sha, url: apiUrl(world, repository, `/commits/${sha}`) },
        protected: repository.protectedBranches.has(name),
      };
    });
  }),
  repositoryRoute("GET /rules/branches/{+branch}", ["metadata"], (call) => {
    const isProtected = call.repository.protectedBranches.has(call.params["branch"] ?? "");
    const source = { ruleset_source_type: "Repository", ruleset_source: call.repository.fullName, ruleset_id: 1 };
    const rules = ["pull_request", "non_fast_forward"];
    return page(call, isProtected ? rules : [], (type) => ({ type, ...source }));
  }),
  repositoryRoute("GET /branches/{+branch}", ["contents"], showBranch),
];

function showBranch({ world, repository, params }: RepositoryCall): Answer {
  const name = params["branch"] ?? "";
  const sha = present(tip(world, repository, name), "Branch not found");
  const isProtected = repository.protectedBranches.has(name);
  const self = apiUrl(world, repository, `/branches/${name}`);
  return ok({
    name,
    commit: commitPayload(world, repository, sha),
    _links: { self, html: webUrl(world, repository, `/tree/${name}`) },
    protected: isProtected,
    protection: { enabled: isProtected, required_status_checks: { enforcement_level: "off", contexts: [], checks: [] } },
    protection_url: `${self}/protection`,
  });
}
