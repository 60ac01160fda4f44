import { runGit } from "../git/run-git.ts";
import { repositoryOf, type Repository, type World } from "../state.ts";
import { addRepository } from "./repositories.ts";

/** Forks a repository into somebody's account: all branches and their history, without the App. Changes are pushed to it like to any other. */
export function addFork(world: World, named: string | Repository, owner: string): Repository {
  const source = repositoryOf(world, named);
  const fork = addRepository(world, `${owner}/${source.name}`, {
    defaultBranch: source.defaultBranch,
    ownerType: "User",
    installed: false,
    isPrivate: source.isPrivate,
  });
  runGit(fork.gitDirectory, ["fetch", "--quiet", source.gitDirectory, "refs/heads/*:refs/heads/*"]);
  return fork;
}
