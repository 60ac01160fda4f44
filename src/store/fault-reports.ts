import type { Database } from "./sql.ts";

/** Which versions of which configuration files were reported, in the whole life of the installation. */
export interface FaultReports {
  /** Whether this run is to report it: nobody has, or this very run has begun to. Durable once resolved. */
  claim(version: string, runId: string): Promise<boolean>;
  /** It could not be reported: another run may. */
  release(version: string, runId: string): Promise<void>;
}

export function storeFaultReports(database: Database): FaultReports {
  return {
    async claim(version, runId) {
      await database.query("insert into sallyport.fault_reports (version, run_id) values ($1, $2) on conflict do nothing", [
        version,
        runId,
      ]);
      const rows = await database.query("select 1 from sallyport.fault_reports where version = $1 and run_id = $2", [version, runId]);
      return rows.length > 0;
    },
    async release(version, runId) {
      await database.query("delete from sallyport.fault_reports where version = $1 and run_id = $2", [version, runId]);
    },
  };
}
