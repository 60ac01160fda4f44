/** Where hosts keep what is nobody's business: a message that names such a place gives away the machine. */
const HOST_PATH =
  /(?:file:\/\/|(?<![\w./-]))\/(?:home|root|tmp|var|usr|opt|etc|mnt|srv|run|data|app|proc|workspace|Users|private|github)\/[^\s'"`)\]}>,;]*|\b[A-Za-z]:\\[^\s'"`)\]}>,;]*/g;

/** An error's message as the model may see it: paths in the workspace become relative ones, other paths of the host are left out. */
export function withoutHostPaths(message: string, workspace: string): string {
  const relative = message.replaceAll(`${workspace}/`, "").replaceAll(workspace, ".");
  return relative.replace(HOST_PATH, "(a path of the host)");
}
