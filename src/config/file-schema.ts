import { z } from "zod";
import { gateSchema } from "./gate-policy.ts";
import { retentionKeys, serverKeys } from "./server-keys.ts";
import { PERMISSIONS } from "./values.ts";
import { budgetKeys, triggerKeys, workKeys } from "./work-keys.ts";

const accessKeys = {
  permission: z.enum(PERMISSIONS).meta({ description: "What whoever asks must hold in the repository at least." }),
};

/** What one file of the configuration may say; every key may be left out. */
export const fileSchema = z
  .strictObject({
    ...accessKeys,
    ...triggerKeys,
    ...workKeys,
    ...budgetKeys,
    gate: gateSchema.meta({ description: "What the gate lets through." }),
    ...retentionKeys,
    ...serverKeys,
  })
  .partial();

/** One file of the configuration, read and found good. */
export type FileSettings = z.output<typeof fileSchema>;

/** Keys that count in the server's file alone. */
export const SERVER_ONLY: ReadonlySet<string> = new Set(Object.keys(serverKeys));
