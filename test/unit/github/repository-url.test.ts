import { describe, expect, test } from "vitest";
import { gitHubAddress } from "../../../src/github/repository-url.ts";

describe("the addresses of one GitHub", () => {
  test.for([
    ["https://api.github.com", "https://api.github.com/graphql", "https://github.com"],
    ["https://git.example.com/api/v3/", "https://git.example.com/api/graphql", "https://git.example.com"],
    ["https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql", "https://acme.ghe.com"],
  ] as const)("are derived from the REST base %s", ([base, graphqlUrl, origin]) => {
    expect(gitHubAddress(base)).toEqual({ baseUrl: base.replace(/\/$/, ""), graphqlUrl, origin });
  });

  test("are taken as they are where they are given", () => {
    const given = { graphqlUrl: "http://graph.example.com/deep/graphql/", origin: "http://pages.example.com:8080/" };
    expect(gitHubAddress("http://rest.example.com/api/v3", given)).toEqual({
      baseUrl: "http://rest.example.com/api/v3",
      graphqlUrl: "http://graph.example.com/deep/graphql",
      origin: "http://pages.example.com:8080",
    });
  });

  test.for(["ftp://git.example.com", "git.example.com", ""])("is a TypeError for %j", (base) => {
    expect(() => gitHubAddress(base)).toThrow(TypeError);
    expect(() => gitHubAddress("https://api.github.com", { origin: base })).toThrow(/not an http or https address/);
  });
});
