import { resolveCommit } from "../git/objects.ts";
import { gitLines } from "../git/run-git.ts";
import { page } from "../paginate.ts";
import { repositoryRoute } from "../route.ts";
import { apiUrl, nodeId } from "../urls.ts";

export const TAG_ROUTES = [
  repositoryRoute("GET /tags", ["contents"], (call) => {
    const { world, repository } = call;
    // By name, from the end of the alphabet: not by date.
    const names = gitLines(repository.gitDirectory, ["for-each-ref", "--sort=-refname", "--format=%(refname:lstrip=2)", "refs/tags"]);
    return page(call, names, (name) => {
      const sha = resolveCommit(repository.gitDirectory, `refs/tags/${name}`) ?? "";
      return {
        name,
        commit: { sha, url: apiUrl(world, repository, `/commits/${sha}`) },
        zipball_url: apiUrl(world, repository, `/zipball/refs/tags/${name}`),
        tarball_url: apiUrl(world, repository, `/tarball/refs/tags/${name}`),
        node_id: nodeId("Ref", `${repository.fullName}#refs/tags/${name}`),
      };
    });
  }),
];
