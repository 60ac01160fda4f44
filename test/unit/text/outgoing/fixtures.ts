import type { OutgoingPolicy } from "../../../../src/text/outgoing/policy.ts";

export const policy: OutgoingPolicy = {
  origin: "https://github.com",
  hosts: ["docs.example.com", "*.example.org"],
  repository: { owner: "acme", name: "app" },
  logins: ["Mona"],
};

/** Pieces of which hostile texts are made: markup, what is to be made inert, and what hides it. */
export const PIECES: readonly string[] = [
  ..."@octocat @ octocat &#64; @Mona @acme/team ＠octocat fixes closes: #1 GH-2 o/r#3 acme/app#3".split(" "),
  ..."\\ ` `` ``` ~~~ ```js\n ```mermaid\n > - # * ** _ ~~ | [ ] ( ) ]( ![ < </ > \" ' = $ & ; :".split(" "),
  ..."<b> </b> <br> <details> </details> <summary> <code> </code> <p> <div> </div> <pre> </pre> <script> <img/>".split(" "),
  ..."<!-- --> <? ?> <![CDATA[ ]]> <!X &lt; &amp; &#96; &nbsp; &#8203; \u200b \u202e".split(" "),
  ..."https:// http: //evil.test www. evil.test github.com https://evil.test/x https://github.com/acme/app".split(" "),
  ..."javascript: data: [r] [r]: ]: [^1]: <https://evil.test> <x:y> /approve bors\u00a0r+ !go a é".split(" "),
  ..." |\n|\n\n|    |\t|\r\n|\n/merge|\nbors r+|[r]: https://evil.test\n|1. |- |> |\n|-|-|\n".split("|"),
  '<a href="https://evil.test">',
  '<img src="//evil.test/x">',
];
