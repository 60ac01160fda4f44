import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { chromium } from "playwright-core";
import { animate, type Piece } from "./pictures/animate.ts";

/*
 * Makes the pictures of the README from a real run of the demo, in a terminal of util-linux's `script`, and of its dashboard, in Chromium.
 * Usage: node scripts/make-pictures.ts. Variables: CHROMIUM, the program.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const pictures = new URL("../docs/pictures/", import.meta.url);
const demo = `"${process.execPath}" src/cli.ts demo --serve`;

await mkdir(pictures, { recursive: true });
// OPENAI_API_KEY would change who plays the part.
const { OPENAI_API_KEY: _, ...env } = process.env;
const child = spawn("script", ["--quiet", "--flush", "--return", "--command", demo, "/dev/null"], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"],
  env,
});
const pieces: Piece[] = [];
const began = performance.now();
let text = "";
child.stdout.setEncoding("utf8");
const dashboard = await new Promise<string>((resolve, reject) => {
  child.stdout.on("data", (piece: string) => {
    pieces.push({ atMs: performance.now() - began, text: piece });
    text += piece;
    const url = /^Dashboard +(\S+)/m.exec(stripVTControlCharacters(text))?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once("close", (status) => reject(new Error(`the demo ended with ${status} before its dashboard was there`)));
});
try {
  await photograph(dashboard);
} finally {
  const gone = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await gone;
}
await writeFile(new URL("demo.svg", pictures), animate({ command: "npm run demo", pieces: withoutTheEnd(pieces) }));

/** The page of the demo's first run, as it is in the light and in the dark. */
async function photograph(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 760 } });
      await page.goto(url);
      await page.locator('a[href*="/runs/"]').last().click();
      await page.locator("h1").waitFor();
      await page.screenshot({ path: fileURLToPath(new URL(`dashboard-${colorScheme}.png`, pictures)) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

/** The last line is about this process and not about the demo. */
function withoutTheEnd(all: readonly Piece[]): readonly Piece[] {
  return all.map(({ atMs, text: piece }) => ({ atMs, text: piece.replace(/\r?\nDashboard[^]*$/, "\n") }));
}
