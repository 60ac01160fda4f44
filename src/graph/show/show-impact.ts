import type { Impact, ImpactPlace } from "../query/impact.ts";
import { shown, symbolTitle } from "./shown.ts";
import { count, declaredAt, doubtLines, placeText, sureness, verbOf } from "./words.ts";

/** What a change can touch: severity with its reason, places by depth, tests, the public surface, and what is not known. */
export function showImpact(impact: Impact): string {
  const { target, severity, reason, places, reached, tests, testCount, public: surface, publicCount, doubt } = impact;
  const direct = places.filter(({ depth }) => depth === 1);
  const further = places.filter(({ depth }) => depth > 1);
  const section = (title: string, rows: readonly string[]): readonly string[] => (rows.length === 0 ? [] : ["", title, ...rows]);
  return [
    `Impact of ${declaredAt(target.main)}`,
    `Severity: ${severity} (${reason})`,
    ...section("Direct:", direct.map(line)),
    ...section("Through others:", further.map(line)),
    ...(reached > places.length ? [`[${places.length} of ${count(reached, "place")} shown]`] : []),
    ...section("Tests that reach it:", tests.map(line)),
    ...(testCount > tests.length ? [`[${tests.length} of ${testCount} shown]`] : []),
    ...section(
      `Public surface (${count(publicCount, "exported symbol")}):`,
      surface.length === 0
        ? []
        : [
            surface.map(({ qualified, path, line: at }) => `${shown(qualified)} ${shown(path)}:${at}`).join(", ") +
              (publicCount > surface.length ? ", …" : ""),
          ],
    ),
    ...(target.namesakes.length === 0 ? [] : ["", `[others of this name: ${target.namesakes.slice(0, 10).map(declaredAt).join("; ")}]`]),
    ...doubtLines(doubt),
  ].join("\n");
}

function line({ symbol, depth, place, uses, through }: ImpactPlace): string {
  const via = through === undefined ? shown(uses.qualified) : `${shown(through.qualified)}, which ${shown(uses.qualified)} stands in for`;
  return `${placeText(place)} ${symbolTitle(symbol)} ${verbOf(place.kind)} ${via} (${sureness(place.confidence)}, depth ${depth})`;
}
