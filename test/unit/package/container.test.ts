import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

/*
 * What can be said of an image without an engine that builds it: that what is copied is there and sent, that what is started is what the package
 * starts, and that files and defaults agree.
 */

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

interface Instruction {
  readonly name: string;
  readonly text: string;
}
const instructions = read("Dockerfile")
  .replaceAll(/^\s*#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .flatMap((line): Instruction[] => {
    const [, name, text] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || text === undefined ? [] : [{ name, text }];
  });
/** Each stage's instructions, beginning with its FROM. */
const stages = instructions.reduce<Instruction[][]>((found, instruction) => {
  if (instruction.name === "FROM") found.push([]);
  found.at(-1)?.push(instruction);
  return found;
}, []);
const last = (name: string): string => stages.at(-1)?.findLast((instruction) => instruction.name === name)?.text ?? "";
const variables = new Map(
  last("ENV")
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]),
);
const manifest = JSON.parse(read("package.json")) as { bin: { sallyport: string }; files: readonly string[]; engines: { node: string } };

describe("the Dockerfile", () => {
  test("copies what there is, and what is sent to the builder", () => {
    const sent = read(".dockerignore")
      .split("\n")
      .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
    expect(read(".dockerignore")).toMatch(/^\*$/m);
    const copied = instructions.flatMap(({ name, text }) =>
      name === "COPY" && !text.startsWith("--from") ? text.split(" ").slice(0, -1) : [],
    );
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect(existsSync(new URL(path, root)), path).toBe(true);
      expect(sent, path).toContain(path);
    }
    expect([...new Set(copied)].toSorted()).toEqual(sent.toSorted());
  });

  test("holds what the package holds, but for its pages", () => {
    const inImage = (stages.at(-1) ?? []).flatMap(({ name, text }) => (name === "COPY" ? [text] : [])).join("\n");
    for (const path of manifest.files.filter((file) => file !== "docs/*.md")) expect(inImage).toContain(path);
  });

  test("starts the package's command, as a user who is not root, on a Node.js that it takes", () => {
    expect(JSON.parse(last("ENTRYPOINT"))).toEqual(["tini", "--", "node", `/app/${manifest.bin.sallyport}`]);
    expect(JSON.parse(last("CMD"))).toEqual(["serve"]);
    expect(last("USER")).toBe("node");
    const [, major] = /^node:(\d+)-/.exec(last("FROM")) ?? [];
    expect(`>=${major}`).toBe(manifest.engines.node);
    for (const [from] of stages) expect(from?.text).toContain(last("FROM"));
  });

  test("brings git, ripgrep and bubblewrap", () => {
    for (const name of ["bubblewrap", "ca-certificates", "git", "ripgrep", "tini"]) expect(last("RUN")).toMatch(new RegExp(` ${name} `));
  });

  test("listens, keeps its data and is asked for its health where it says", () => {
    expect(variables.get("HOST")).toBe("0.0.0.0");
    expect(last("EXPOSE")).toBe(variables.get("PORT"));
    expect(last("VOLUME")).toBe(variables.get("SALLYPORT_DATA_DIR"));
    expect(last("HEALTHCHECK")).toContain("/healthz");
    for (const name of variables.keys()) expect(read("src/config/environment.ts")).toContain(`"${name}"`);
  });
});

describe("compose.yml", () => {
  const { services, volumes } = parse(read("compose.yml")) as {
    services: Record<
      string,
      { image: string; environment: Record<string, string>; env_file?: string[]; ports?: string[]; volumes: string[] }
    >;
    volumes: Record<string, unknown>;
  };
  const { sallyport, database } = services;

  test("leads from this machine's loopback to the port of the image", () => {
    expect(sallyport?.ports).toEqual([`127.0.0.1:${variables.get("PORT")}:${variables.get("PORT")}`]);
  });

  test("keeps the data of both in volumes", () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(":")));
    expect(mounted.map(([name = ""]) => name).toSorted()).toEqual(Object.keys(volumes).toSorted());
    expect(mounted).toContainEqual(["data", last("VOLUME")]);
  });

  test("names a PostgreSQL that is new enough, by the user, the password and the name that it is made with", () => {
    expect(Number(/^postgres:(\d+)/.exec(database?.image ?? "")?.[1])).toBeGreaterThanOrEqual(15);
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database?.environment ?? {};
    expect(sallyport?.environment["DATABASE_URL"]).toBe(`postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`);
  });

  test("holds no secret: they stand in files that no commit takes", () => {
    expect(sallyport?.env_file).toEqual(["app.env", ".env"]);
    const ignored = read(".gitignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".env", "*.env"]));
    expect(read("compose.yml")).not.toMatch(/(?:KEY|SECRET|PASSWORD|TOKEN): (?!\$\{\w+:\?)/);
  });
});
