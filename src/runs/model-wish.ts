import type { Settings } from "../config/settings.ts";
import type { RunRequest } from "../core/run.ts";
import type { Model } from "../model/model.ts";
import { kindOf } from "./autonomy.ts";
import type { ModelWish } from "../model/open-models.ts";

/** What a run's settings say about its model: those of its job kind before those of all. */
export function modelWish({ model, models, prices, context_window }: Settings, trigger: RunRequest["trigger"]): ModelWish {
  return { model: models[kindOf(trigger)] ?? model, prices, context_window };
}

/** The model that tries to refute a review's remarks: the reviews' own where none is named. */
export function refuterWish({ model, models, prices, context_window }: Settings): ModelWish {
  return { model: models.review_refute ?? models.review ?? model, prices, context_window };
}

/** Why a run cannot keep to the `max_usd` that somebody set; undefined when it can, or when nobody did. */
export function whyUnpriced(
  { max_usd, max_usd_is_set }: Settings,
  { unpriced = [] }: Model,
): { readonly why: string; readonly hint: string } | undefined {
  if (!max_usd_is_set || unpriced.length === 0) return undefined;
  return {
    why: `max_usd is set to ${max_usd}, but the price of ${unpriced.map((name) => `\`${name}\``).join(", ")} is not known, so the limit could not be kept.`,
    hint: "Name the price under `prices` in the configuration (dollars per million tokens), or leave max_usd out.",
  };
}
