import { describe, expect, test } from "vitest";
import { createAccess, type JudgeAccess } from "../../../src/web/access.ts";

interface Caller {
  readonly peer?: string | undefined;
  readonly host?: string | readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

function from({ peer, host = "localhost:3000", headers = {} }: Caller): Parameters<JudgeAccess>[0] {
  const hosts = typeof host === "string" ? [host] : [...host];
  return {
    headers: { ...(hosts[0] === undefined ? {} : { host: hosts[0] }), ...headers },
    headersDistinct: { host: hosts },
    socket: { remoteAddress: peer },
  } as unknown as Parameters<JudgeAccess>[0];
}

describe("without a token", () => {
  const judge = createAccess({});

  test.each([
    { peer: "127.0.0.1", isIn: true },
    { peer: "127.9.8.7", isIn: true },
    { peer: "::1", isIn: true },
    { peer: "::ffff:127.0.0.1", isIn: true },
    { peer: "::FFFF:127.0.0.1", isIn: true },
    { peer: "10.0.0.1", isIn: false },
    { peer: "128.0.0.1", isIn: false },
    { peer: "192.168.127.1", isIn: false },
    { peer: "::ffff:10.127.0.1", isIn: false },
    { peer: "fe80::1", isIn: false },
    { peer: "2001:db8::1", isIn: false },
    { peer: "127.0.0.1.evil.example", isIn: false },
    { peer: "", isIn: false },
    { peer: undefined, isIn: false },
  ])("a caller at $peer is let in: $isIn", ({ peer, isIn }) => {
    expect(judge(from({ peer })).ok).toBe(isIn);
  });

  test.each([
    { host: "localhost", isIn: true },
    { host: "LocalHost:80", isIn: true },
    { host: "127.0.0.1:3000", isIn: true },
    { host: "[::1]:3000", isIn: true },
    { host: "evil.example", isIn: false },
    { host: "localhost.evil.example:3000", isIn: false },
    { host: "evil.example:localhost", isIn: false },
    { host: "127.0.0.1.nip.example", isIn: false },
    { host: "localhost@evil.example", isIn: false },
    { host: "localhost:3000, evil.example", isIn: false },
    { host: "192.168.1.5:3000", isIn: false },
    { host: "0.0.0.0:3000", isIn: false },
    { host: "", isIn: false },
    { host: [], isIn: false },
    { host: ["localhost", "evil.example"], isIn: false },
    { host: ["localhost", "localhost"], isIn: false },
  ])("the host $host on this machine is answered: $isIn", ({ host, isIn }) => {
    expect(judge(from({ peer: "127.0.0.1", host })).ok).toBe(isIn);
  });

  test.each(["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded", "x-real-ip", "via"])(
    "a caller behind %s is not on this machine, whatever it says",
    (name) => {
      for (const value of ["127.0.0.1", "for=127.0.0.1", ""]) {
        expect(judge(from({ peer: "127.0.0.1", headers: { [name]: value } }))).toMatchObject({ ok: false, status: 403 });
      }
    },
  );
});

describe("with a token", () => {
  const token = "dashboard:token-0123";
  const judge = createAccess({ token });
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

  test.each([
    { name: "the token as a bearer", authorization: `Bearer ${token}`, isIn: true },
    { name: "the scheme in another case", authorization: `bEARER  ${token}`, isIn: true },
    { name: "the token as the password, colons included", authorization: basic(`sallyport:${token}`), isIn: true },
    { name: "no user name", authorization: basic(`:${token}`), isIn: true },
    { name: "no header", authorization: undefined, isIn: false },
    { name: "an empty header", authorization: "", isIn: false },
    { name: "a longer token", authorization: `Bearer ${token}x`, isIn: false },
    { name: "a shorter one", authorization: `Bearer ${token.slice(0, -1)}`, isIn: false },
    { name: "another case", authorization: `Bearer ${token.toUpperCase()}`, isIn: false },
    { name: "an empty bearer", authorization: "Bearer ", isIn: false },
    { name: "an empty password", authorization: basic("sallyport:"), isIn: false },
    { name: "the token as the user name", authorization: basic(`${token}:`), isIn: false },
    { name: "a pair without a colon", authorization: basic("token"), isIn: false },
    { name: "the token without a scheme", authorization: token, isIn: false },
    { name: "the token under another scheme", authorization: `Digest ${token}`, isIn: false },
    { name: "two tokens", authorization: `Bearer ${token} ${token}`, isIn: false },
    { name: "no base 64", authorization: "Basic ::::", isIn: false },
    { name: "the word undefined", authorization: "Bearer undefined", isIn: false },
  ])("$name opens: $isIn, from here and from afar", ({ authorization, isIn }) => {
    for (const caller of [{ peer: "127.0.0.1" }, { peer: "203.0.113.9", host: "sallyport.example" }]) {
      const access = judge(
        from({ ...caller, headers: { ...(authorization === undefined ? {} : { authorization }), "x-forwarded-for": "::1" } }),
      );
      expect(access).toMatchObject(isIn ? { ok: true } : { ok: false, status: 401 });
    }
  });

  test("an empty token lets nobody in, a caller on this machine included", () => {
    const judge = createAccess({ token: "" });
    for (const authorization of ["Bearer ", "Bearer x", basic(":"), basic("sallyport:"), undefined]) {
      expect(judge(from({ peer: "127.0.0.1", headers: authorization === undefined ? {} : { authorization } })).ok).toBe(false);
    }
  });
});
