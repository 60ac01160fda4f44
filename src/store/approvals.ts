import { randomBytes } from "node:crypto";
import { isUniqueViolation } from "./runs.ts";
import type { Database, Executor } from "./sql.ts";

/** A question to people about one operation of one run, and their answer. */
export interface StoredApproval {
  /** Two words that can be spoken: `kodim-pabuf`. */
  readonly id: string;
  readonly run: string;
  /** Of the operation, to the byte: an answer counts for nothing else. */
  readonly digest: string;
  /** What waits, by its kind. */
  readonly operation: string;
  /** The findings that ask, plain JSON. */
  readonly findings: readonly unknown[];
  readonly requestedAt: Date;
  /** From then on neither question nor answer counts. */
  readonly expires: Date;
  readonly answer?: { readonly kind: "approved" | "denied"; readonly by: ApprovalActor; readonly at: Date };
  /** When the run asked about something else instead: from then on nobody can answer. */
  readonly voided?: Date;
}

export interface ApprovalActor {
  readonly id: number;
  readonly login: string;
}

interface ApprovalRow {
  readonly id: string;
  readonly run_id: string;
  readonly digest: string;
  readonly operation: string;
  readonly findings: readonly unknown[];
  readonly requested_at: Date;
  readonly expires_at: Date;
  readonly answer: "approved" | "denied" | null;
  readonly answered_by: ApprovalActor | null;
  readonly answered_at: Date | null;
  readonly voided_at: Date | null;
}

const COLUMNS = "id, run_id, digest, operation, findings, requested_at, expires_at, answer, answered_by, answered_at, voided_at";
/** What a run asks about that it would publish; its own comment is no such thing. */
const PUBLISHING = "('open-pull-request', 'commit', 'comment')";
/** What a question of a tool's call is kept under: the run goes on whatever is answered. */
export const ASKED_BY_CALLS = "tool-call";
/** Tries at an id that nobody has. */
const TRIES = 5;

/** The approvals in the database. */
export interface StoredApprovals {
  /** The newest one for exactly this operation that has not expired. */
  find(key: Pick<StoredApproval, "run" | "digest">): Promise<StoredApproval | undefined>;
  byId(id: string): Promise<StoredApproval | undefined>;
  /** Those of a run that wait for an answer, oldest first. */
  waiting(run: string): Promise<readonly StoredApproval[]>;
  /** Asks; durable once resolved. Whatever else the run would have published waits no more. `hours` is how long question and answer count. */
  request(wish: Pick<StoredApproval, "run" | "digest" | "operation" | "findings"> & { readonly hours: number }): Promise<StoredApproval>;
  /** Answers once. Undefined when there is nothing to answer: unknown, answered before or expired. */
  answer(id: string, kind: "approved" | "denied", by: ApprovalActor): Promise<StoredApproval | undefined>;
}

export function storeApprovals(database: Database): StoredApprovals {
  const one = async (executor: Executor, condition: string, values: readonly unknown[]): Promise<StoredApproval | undefined> => {
    const [row] = await executor.query<ApprovalRow>(`select ${COLUMNS} from sallyport.approvals where ${condition}`, values);
    return row === undefined ? undefined : approvalOf(row);
  };
  return {
    find: ({ run, digest }) =>
      one(database, "run_id = $1 and digest = $2 and expires_at > now() and voided_at is null order by requested_at desc, id limit 1", [
        run,
        digest,
      ]),
    byId: (id) => one(database, "id = $1", [id]),
    async waiting(run) {
      const rows = await database.query<ApprovalRow>(
        `select ${COLUMNS} from sallyport.approvals where run_id = $1 and answer is null and voided_at is null and expires_at > now() order by requested_at, id`,
        [run],
      );
      return rows.map(approvalOf);
    },
    async request({ run, digest, operation, findings, hours }) {
      for (let tries = 1; ; tries += 1) {
        try {
          const [row] = await database.query<ApprovalRow>(
            `with other as (
               update sallyport.approvals set voided_at = now()
               where run_id = $2 and answer is null and voided_at is null and operation in ${PUBLISHING} and $4 in ${PUBLISHING}
             )
             insert into sallyport.approvals (id, run_id, digest, operation, findings, expires_at)
             values ($1, $2, $3, $4, $5::json, now() + $6 * interval '1 hour') returning ${COLUMNS}`,
            [newApprovalId(), run, digest, operation, JSON.stringify(findings), hours],
          );
          if (row === undefined) throw new TypeError("the database returned no row for what it inserted");
          return approvalOf(row);
        } catch (error) {
          if (!isUniqueViolation(error) || tries >= TRIES) throw error;
        }
      }
    },
    async answer(id, kind, by) {
      const [row] = await database.query<ApprovalRow>(
        `update sallyport.approvals set answer = $2, answered_by = $3::json, answered_at = now()
         where id = $1 and answer is null and voided_at is null and expires_at > now() returning ${COLUMNS}`,
        [id, kind, JSON.stringify({ id: by.id, login: by.login })],
      );
      return row === undefined ? undefined : approvalOf(row);
    },
  };
}

const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aiou";

/** 32 random bits as two words of five letters that can be read out. Source: proquints, https://arxiv.org/html/0901.4016 */
function newApprovalId(): string {
  const word = (bits: number): string =>
    [12, 10, 6, 4, 0].map((shift, place) => (place % 2 === 0 ? CONSONANTS[(bits >> shift) & 15] : VOWELS[(bits >> shift) & 3])).join("");
  const bytes = randomBytes(4);
  return `${word(bytes.readUInt16BE(0))}-${word(bytes.readUInt16BE(2))}`;
}

function approvalOf(row: ApprovalRow): StoredApproval {
  const { answer, answered_by: by, answered_at: at, voided_at: voided } = row;
  return {
    id: row.id,
    run: row.run_id,
    digest: row.digest,
    operation: row.operation,
    findings: row.findings,
    requestedAt: row.requested_at,
    expires: row.expires_at,
    ...(answer === null || by === null || at === null ? {} : { answer: { kind: answer, by, at } }),
    ...(voided === null ? {} : { voided }),
  };
}
