import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { call, say, type Turn } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "../e2e/stage.ts";
import { axeFindings, chromiumPath, look, openBrowser, watch } from "./browser.ts";

const HOSTILE = `<script>document.title="owned"</script><img src=x onerror=alert(1)><a href="javascript:alert(2)">x</a>\u202e</pre></details>`;
const ASKING = "gate:\n  protected:\n    src/**: ask\n";
const TOKEN = "dashboard-token-0123456789";
const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const openPull = call("gh_create_pr", { title: "Make sum add", body: "It subtracted." });

if (chromiumPath === undefined) {
  test("needs a Chromium, and this machine has none: nothing of the dashboard was tried in a browser", ({ skip }) => skip());
} else {
  describe("the dashboard in a real browser", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    async function open(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(90_000);
      return context.newPage();
    }

    /** A product whose repository lets people decide about `src`. */
    async function openDashboard(script: readonly Turn[], config = "") {
      let url = "";
      const stage = await openStage({
        script,
        files: { ...FILES, ...(config === "" ? {} : { ".github/sallyport.yml": config }) },
        environment: { SALLYPORT_DASHBOARD_TOKEN: TOKEN, GITHUB_CLIENT_ID: "Iv1.client", GITHUB_CLIENT_SECRET: "client-secret-0123456789" },
        startProduct: false,
      });
      ({ url } = await stage.start());
      const number = stage.github.addIssue(REPOSITORY, { title: `sum subtracts ${HOSTILE}`, user: "alice" }).number;
      return { stage, url, number, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
    }
    const operator = { httpCredentials: { username: "operator", password: TOKEN } } as const;
    const mention = ({ github }: Stage, number: number) => github.say(REPOSITORY, number, `@sallyport fix this ${HOSTILE}`, "alice");

    test("shows a run live from the mention to the pull request, and its hostile transcript harmlessly", async () => {
      // What turns the direction of text is held back by the gate already; it stays in the request and in the answer.
      const write = call("write_file", {
        path: "src/note.js",
        content: `export const html = ${JSON.stringify(HOSTILE.replace("\u202e", ""))}\n`,
      });
      const script: Turn[] = [edit, write, openPull, say(`Fixed ${HOSTILE}`)];
      await using played = await openDashboard(script);
      const { stage, url, number } = played;
      const page = await open(operator);
      const seen = await watch(page, url);
      await page.goto(`${url}/sallyport`);
      expect(await page.textContent("main")).toContain("There is no run yet");
      await page.getByText("Live: this page follows").waitFor();
      await mention(stage, number);
      // Nothing is loaded again here: the page hears of the run.
      await page.locator(".runs > li").first().waitFor();
      await page.locator(".runs > li a").nth(1).click();
      await page.getByText("pull request #2").first().waitFor();
      await page.locator(".lead .done").waitFor();
      await stage.idle();
      expect(await page.locator(".diff .added").allTextContents()).toEqual(expect.arrayContaining([expect.stringContaining("a + b")]));
      expect(await page.textContent("#main")).toContain("<script>document.title");
      expect(await page.title()).not.toContain("owned");
      expect(await page.locator("main script, main img, main iframe, main a[href^='javascript']").count()).toBe(0);
      expect(seen).toEqual([]);
      await look(page, "run");
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Download the patch").click()]);
      expect(download.suggestedFilename()).toMatch(/\.patch$/);
      await page.goto(`${url}/sallyport?state=failed`);
      expect(await page.textContent("main")).toContain("No run fits");
      await page.getByRole("link", { name: "done" }).click();
      await page.getByLabel("Repository").fill(REPOSITORY);
      await page.getByRole("button", { name: "Narrow" }).click();
      expect(page.url()).toMatch(/repository=acme%2Fwidgets&state=done/);
      expect(await page.locator(".runs > li").count()).toBe(1);
      await look(page, "list");
      expect(seen).toEqual([]);
    }, 180_000);

    test("takes an approval from somebody who may give it and has signed in, and from nobody else", async () => {
      await using played = await openDashboard([edit, openPull, say("It waits.")], ASKING);
      const { stage, url, number } = played;
      await mention(stage, number);
      await stage.idle();
      const page = await open(operator);
      const seen = await watch(page, url);
      await page.goto(`${url}/sallyport`);
      await page.getByRole("link", { name: "Approvals" }).click();
      await look(page, "approvals");
      await page.locator(".runs > li a").first().click();
      const question = page.url();
      expect(await page.textContent("main")).toContain("You answer as the operator.");
      await look(page, "approval");
      expect(seen).toEqual([]);
      await page.getByRole("link", { name: /sum subtracts/ }).click();
      await page.getByRole("button", { name: "Replay by today's policy" }).click();
      expect(await page.textContent("main")).toMatch(/0 verdicts\s+of 1 would be another one/);
      await page.getByLabel("Another policy").fill("gate:\n  protected:\n    src/**: block\n");
      await page.getByRole("button", { name: "Replay" }).click();
      expect(await page.textContent("main")).toMatch(/1 verdict\s+of 1 would be another one/);
      expect(await page.getByLabel("Another policy").inputValue()).toBe("gate:\n  protected:\n    src/**: block\n");
      await look(page, "replay");
      expect(seen).toEqual([]);

      for (const { login, may } of [
        { login: "mallory", may: false },
        { login: "maria", may: true },
      ]) {
        stage.github.browseAs({ login, callback: `${url}/sallyport/sign-in/callback` });
        const theirs = await open();
        await theirs.goto(question);
        expect(theirs.url()).toBe(question);
        expect(await theirs.getByRole("button", { name: "Approve" }).count()).toBe(may ? 1 : 0);
        if (!may) {
          expect(await theirs.textContent("main")).toContain("one needs the permission maintain");
          expect(await theirs.textContent("main")).not.toContain("sum subtracts");
          continue;
        }
        expect(await axeFindings(theirs)).toEqual([]);
        // What another site, or an old page, would send does not count.
        const forged = await theirs.request.post(question, {
          form: { answer: "approved", key: "1.x.y" },
          headers: { origin: "https://evil.example" },
        });
        expect(forged.status()).toBe(403);
        expect(stage.github.pulls(REPOSITORY)).toEqual([]);
        await theirs.getByRole("button", { name: "Approve" }).click();
        expect(await theirs.textContent("main")).toContain("maria approved this");
      }
      await expect.poll(() => stage.github.pulls(REPOSITORY).map(({ title }) => title), { timeout: 40_000 }).toEqual(["Make sum add"]);
      await stage.idle();
      expect(stage.comments(number)[0]).toContain("maria approved");
    }, 180_000);
  });
}
