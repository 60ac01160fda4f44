import { existsSync } from "node:fs";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { expect } from "vitest";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable", "/usr/bin/google-chrome"];

/** The machine's own Chromium; undefined where it has none. */
export const chromiumPath = PATHS.find((path) => existsSync(path));

/** Tests run as root in containers, where Chromium has no sandbox of its own; the pages are this project's. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** Where looked-at pictures go, for whoever wants to look: `SCREENSHOTS=folder npx vitest run test/browser`. */
const SCREENSHOTS = process.env["SCREENSHOTS"];

/** The page as it is seen in light, in dark and on a small screen: nothing serious against it, and nothing wider than the screen. */
export async function look(page: Page, name: string): Promise<void> {
  for (const [view, scheme, width] of [
    ["light", "light", 1200],
    ["dark", "dark", 1200],
    ["small", "light", 360],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await axeFindings(page), `${name}, ${view}`).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth"), `${name}, ${view}`).toBeLessThanOrEqual(width);
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${name}-${view}.png`, fullPage: true });
  }
}

/** What a page may not do, as it did it: a script that ran, an error, a dialogue, a request to another site. */
export async function watch(page: Page, origin: string): Promise<readonly string[]> {
  const seen: string[] = [];
  page.on("dialog", (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", ({ message }) => seen.push(`error ${message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) seen.push(`request ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") seen.push(`console ${message.text()}`);
  });
  return seen;
}

/** Serious and critical findings of axe on the page as it stands, a line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Evaluated by the driver: the page's own policy lets no such script in.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary ?? ""}`));
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
}
