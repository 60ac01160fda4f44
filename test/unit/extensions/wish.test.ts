import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { extensionWish } from "../../../src/extensions/wish.ts";

const said = {
  extensions: { modules: ["./beside.mjs", "acme-policy"], workers: ["./beside.mjs"], search_paths: ["shelf", "/srv/extensions"] },
};
const named = { extensions: ["./from-here.mjs"], configFile: "/etc/sallyport/server.yml" };

describe("the modules of a process", () => {
  it("are those of the environment and of the server's file, whose paths are beside it", () => {
    expect(extensionWish(named, said, "all")).toMatchObject({
      entrypoint: "app",
      modules: ["./from-here.mjs", "/etc/sallyport/beside.mjs", "acme-policy"],
      searchPaths: ["/etc/sallyport/shelf", "/srv/extensions"],
      onError: "stop",
      folder: resolve("."),
    });
  });

  it("are a worker's own list where there is one, an empty one too, and all without", () => {
    expect(extensionWish(named, said, "worker")).toMatchObject({ entrypoint: "worker", modules: ["/etc/sallyport/beside.mjs"] });
    expect(extensionWish(named, { extensions: { ...said.extensions, workers: [] } }, "worker").modules).toEqual([]);
    const { workers: _, ...rest } = said.extensions;
    expect(extensionWish(named, { extensions: rest }, "worker").modules).toHaveLength(3);
    expect(extensionWish(named, said, "web").modules).toHaveLength(3);
  });
});
