import { APPROVALS_PATH } from "../layout.ts";

/** Where people find this server's approvals, with a final slash; undefined where the pages answer the machine they run on alone. */
export function approvalsUrl(server: { readonly publicUrl?: string; readonly dashboardToken?: string }): string | undefined {
  return server.publicUrl === undefined || server.dashboardToken === undefined ? undefined : `${server.publicUrl}${APPROVALS_PATH}/`;
}
