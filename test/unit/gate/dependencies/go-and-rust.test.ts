import { describe, expect, it } from "vitest";
import { judgeChange, verdictOf } from "./supply-chain.ts";

const blocked = async (base: Readonly<Record<string, string>>, change: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await judgeChange({ base, change })).filter(({ severity }) => severity === "block").map(({ rule }) => rule);

describe("go.mod and go.sum", () => {
  const mod = `module example.com/app

go 1.22

require (
	github.com/stretchr/testify v1.9.0
	golang.org/x/net v0.20.0 // indirect
)
`;
  const sum = `github.com/stretchr/testify v1.9.0 h1:${"A".repeat(43)}=
github.com/stretchr/testify v1.9.0/go.mod h1:${"B".repeat(43)}=
`;

  it.each<[string, string, string]>([
    ["a module that replaces another", "replace golang.org/x/net => github.com/evil/net v0.20.0", "registries"],
    ["one that replaces a version", "replace golang.org/x/net v0.20.0 => github.com/evil/net v0.20.0", "registries"],
    ["one in a block", "replace (\n\tgolang.org/x/net => github.com/evil/net v0.20.0\n)", "registries"],
    ["a folder outside that replaces another", "replace golang.org/x/net => ../net", "registries"],
    ["a folder of the machine", "replace golang.org/x/net => /opt/net", "registries"],
    ["a module of nearly the same owner", "require github.com/strechr/testify v1.9.0", "dependencies"],
    ["a module that differs by case", "require github.com/Stretchr/testify v1.9.0", "dependencies"],
    ["a toolchain of somebody", "toolchain evil1.0", "registries"],
    ["a line that go does not know", "install x", "manifests"],
    ["a block that does not end", "require (", "manifests"],
  ])("block %s", async (_, line, rule) => {
    expect(await blocked({ "go.mod": mod }, { "go.mod": `${mod}\n${line}\n` })).toContain(rule);
  });

  it.each<[string, string, "allow" | "warn"]>([
    ["a newer go", mod.replace("go 1.22", "go 1.23\n\ntoolchain go1.23.4"), "allow"],
    ["a newer version", mod.replace("v1.9.0", "v1.10.0"), "allow"],
    ["a comment", mod.replace("module", "// replace x => y\nmodule"), "allow"],
    ["another module of an owner that is there", `${mod}\nrequire github.com/stretchr/objx v0.5.2\n`, "warn"],
    ["a folder of the repository in place of a module", `${mod}\nreplace golang.org/x/net => ./net\n`, "warn"],
    ["a version that is kept out", `${mod}\nexclude golang.org/x/net v0.21.0\n`, "warn"],
  ])("take %s", async (_, after, verdict) => {
    expect(verdictOf(await judgeChange({ base: { "go.mod": mod }, change: { "go.mod": after } }))).toBe(verdict);
  });

  it.each<[string, string]>([
    ["another hash", sum.replace("A".repeat(43), "Z".repeat(43))],
    ["another hash of a go.mod", sum.replace("B".repeat(43), "Z".repeat(43))],
    ["one hash more", `${sum}github.com/stretchr/testify v1.9.0 h1:${"Z".repeat(43)}=\n`],
  ])("block %s for the same version", async (_, after) => {
    expect(await blocked({ "go.sum": sum }, { "go.sum": after })).toEqual(["lockfiles"]);
  });

  it("let hashes of other versions in", async () => {
    const more = `${sum}golang.org/x/net v0.21.0 h1:${"C".repeat(43)}=\n`;
    expect(await judgeChange({ base: { "go.sum": sum }, change: { "go.sum": more } })).toEqual([]);
  });
});

describe("Cargo.toml and Cargo.lock", () => {
  const manifest = `[package]
name = "app"
version = "0.1.0"
edition = "2021"

[dependencies]
serde = { version = "1.0", features = ["derive"] }
anyhow = "1"
`;
  const lock = `version = 3

[[package]]
name = "anyhow"
version = "1.0.79"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "${"a".repeat(64)}"

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "anyhow",
]
`;
  const add = (text: string): string => `${manifest}\n${text}\n`;

  it.each<[string, string, string]>([
    ["a repository", manifest.replace('anyhow = "1"', 'anyhow = { git = "https://evil.test/anyhow" }'), "registries"],
    ["a repository for one target", add(`[target.'cfg(unix)'.dependencies]\nx = { git = "https://evil.test/x" }`), "registries"],
    ["a patch", add(`[patch.crates-io]\nserde = { git = "https://evil.test/serde" }`), "registries"],
    ["a replacement", add(`[replace]\n"serde:1.0.0" = { git = "https://evil.test/serde" }`), "registries"],
    ["another registry", manifest.replace('anyhow = "1"', 'anyhow = { version = "1", registry = "evil" }'), "registries"],
    ["a folder outside", manifest.replace('anyhow = "1"', 'anyhow = { path = "../../anyhow" }'), "registries"],
    ["another package under a known name", manifest.replace('anyhow = "1"', 'anyhow = { version = "1", package = "evil" }'), "registries"],
    ["members outside", add(`[workspace]\nmembers = ["../other"]`), "registries"],
    ["a name like another", add(`[dev-dependencies]\nserd = "1"`), "dependencies"],
    ["a name like another for the build", add(`[build-dependencies]\ntokoi = "1"`), "dependencies"],
    ["a build script", manifest.replace('edition = "2021"', 'edition = "2021"\nbuild = "x.rs"'), "lifecycle-scripts"],
    ["a macro of the compiler", add(`[lib]\nproc-macro = true`), "lifecycle-scripts"],
    ["a version that cargo does not know", manifest.replace('anyhow = "1"', 'anyhow = "one"'), "manifests"],
  ])("block %s", async (_, after, rule) => {
    expect(await blocked({ "Cargo.toml": manifest }, { "Cargo.toml": after })).toContain(rule);
  });

  it("block a new build script beside a manifest, and no other file of that name", async () => {
    expect(await blocked({ "a/Cargo.toml": manifest }, { "a/build.rs": "fn main() {}" })).toEqual(["lifecycle-scripts"]);
    expect(await blocked({ "Cargo.toml": manifest }, { "src/build.rs": "pub fn build() {}" })).toEqual([]);
  });

  it.each<[string, string, "allow" | "warn"]>([
    ["features", manifest.replace('["derive"]', '["derive", "rc"]'), "allow"],
    ["its own version", manifest.replace("0.1.0", "0.1.1"), "allow"],
    ["a member's version from the workspace", manifest.replace('anyhow = "1"', "anyhow.workspace = true"), "allow"],
    ["a folder of the repository", manifest.replace('anyhow = "1"', 'anyhow = { path = "crates/anyhow" }'), "allow"],
    ["a new crate", add(`[dev-dependencies]\ninsta = "=1.34.0"`), "warn"],
  ])("take %s", async (_, after, verdict) => {
    const findings = await judgeChange({ base: { "Cargo.toml": manifest }, change: { "Cargo.toml": after } });
    expect(verdictOf(findings.filter(({ severity }) => severity !== "info"))).toBe(verdict);
  });

  it.each<[string, string, string]>([
    ["another checksum", lock.replace("a".repeat(64), "b".repeat(64)), "lockfiles"],
    ["no checksum", lock.replace(/checksum.*\n/, ""), "lockfiles"],
    ["another registry", lock.replace("github.com/rust-lang", "github.com/evil"), "registries"],
    [
      "a repository",
      lock.replace("registry+https://github.com/rust-lang/crates.io-index", "git+https://evil.test/anyhow#aaaa"),
      "registries",
    ],
    [
      "a package that nobody requires",
      `${lock}\n[[package]]\nname = "evil"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${"c".repeat(64)}"\n`,
      "lockfiles",
    ],
    [
      "a package that stands twice",
      `${lock}\n[[package]]\nname = "anyhow"\nversion = "1.0.79"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`,
      "manifests",
    ],
  ])("block %s in the lockfile", async (_, after, rule) => {
    expect(await blocked({ "Cargo.toml": manifest, "Cargo.lock": lock }, { "Cargo.lock": after })).toContain(rule);
  });

  it("let an update through", async () => {
    const after = lock.replace("1.0.79", "1.0.80").replace("a".repeat(64), "b".repeat(64));
    expect(await judgeChange({ base: { "Cargo.toml": manifest, "Cargo.lock": lock }, change: { "Cargo.lock": after } })).toEqual([]);
  });
});
