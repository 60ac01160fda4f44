import { expect, test } from "vitest";
import { edges, linked } from "../linked.ts";
import type { Files } from "../linked.ts";

const crate = (files: Files): Files => ({ "Cargo.toml": '[package]\nname = "k"\n', ...files });
const ring = "pub struct Ring;\nimpl Ring {\n  pub fn turn(&self) -> Ring { Ring }\n  pub fn is_closed(&self) -> bool { true }\n}\n";

interface Row {
  readonly says: string;
  readonly files: Files;
  readonly calls: readonly string[];
}

const rust: readonly Row[] = [
  {
    says: "Rust's method that has the name of a field",
    files: crate({
      "src/lib.rs": `${ring}pub struct Chain { ring: Ring }\nimpl Chain {\n  fn ring(&self) -> Chain { todo!() }\n  fn go(&self) { self.ring(); self.ring.turn(); }\n}\n`,
    }),
    calls: ["src/lib.rs#Chain.go > src/lib.rs#Chain.ring", "src/lib.rs#Chain.go > src/lib.rs#Ring.turn"],
  },
  {
    says: "what the patterns of a match take apart",
    files: crate({
      "src/lib.rs": `${ring}pub enum Lock { Open { ring: Ring }, Shut(Ring, u8), Gone }\npub struct Key(Ring);\nimpl Lock {\n  fn go(&self) -> bool {\n    match *self {\n      Lock::Open { ref ring } => ring.turn().is_closed(),\n      Self::Shut(ref kept, _) => kept.is_closed(),\n      Lock::Gone => false,\n    }\n  }\n}\nfn open(Key(inner): Key) { inner.turn(); }\nfn other(key: Key) {\n  let Key(inner) = key;\n  inner.turn();\n}\n`,
    }),
    calls: [
      "src/lib.rs#Lock.go > src/lib.rs#Ring.is_closed",
      "src/lib.rs#Lock.go > src/lib.rs#Ring.turn",
      "src/lib.rs#other > src/lib.rs#Ring.turn",
    ],
  },
  {
    says: "a trait in scope where the receiver's type has no such method",
    files: crate({
      "src/lib.rs": `mod note;\nmod far;\n${ring}fn find() -> Option<Ring> { None }\nuse note::Note;\nfn go() { find().note("a").turn(); "text".note("b"); }\n`,
      "src/note.rs":
        "pub trait Note<T> { fn note(self, text: &str) -> T; }\nimpl<T> Note<T> for Option<T> { fn note(self, text: &str) -> T { todo!() } }\n",
      "src/far.rs": 'fn go(text: &str) { text.note("c"); }\n',
    }),
    calls: ["src/lib.rs#go > src/lib.rs#Ring.turn", "src/lib.rs#go > src/lib.rs#find", "src/lib.rs#go > src/note.rs#Note.note"],
  },
  {
    says: "closures that Option, Result and iterators call",
    files: crate({
      "src/lib.rs": `${ring}fn find() -> Option<Ring> { None }\nfn one() { find().map(|each| each.turn()).ok_or(1).and_then(|next| Ok(next.is_closed())); }\nfn all(rings: Vec<Ring>) {\n  rings.iter().enumerate().for_each(|(at, each)| { each.turn(); });\n  rings.iter().rev().fold(Ring, |last, each| last.turn());\n}\n`,
    }),
    calls: [
      "src/lib.rs#all > src/lib.rs#Ring.turn",
      "src/lib.rs#one > src/lib.rs#Ring.is_closed",
      "src/lib.rs#one > src/lib.rs#Ring.turn",
      "src/lib.rs#one > src/lib.rs#find",
    ],
  },
  {
    says: "constants of a type, and names that come through modules within a file",
    files: crate({
      "src/lib.rs": `${ring}mod deep {\n  pub mod inner {\n    pub fn low() {}\n    pub struct Box;\n    impl Box { pub fn lift(&self) {} }\n  }\n}\nuse self::deep::inner::Box;\nimpl Ring { pub const FIRST: Ring = Ring; }\nfn go(held: Box) { Ring::FIRST.turn(); held.lift(); deep::inner::low(); }\n`,
    }),
    calls: [
      "src/lib.rs#go > src/lib.rs#Ring.turn",
      "src/lib.rs#go > src/lib.rs#deep.inner.Box.lift",
      "src/lib.rs#go > src/lib.rs#deep.inner.low",
    ],
  },
];

const java: readonly Row[] = [
  {
    says: "Java's static fields of their own class, and the instance around",
    files: {
      "a/Rule.java":
        "package a;\nclass Rule {\n  static final Rule DEFAULT = new Rule();\n  Rule strict() { return this; }\n  class Part { void go() { Rule.this.strict(); } }\n  static void run() { Rule.DEFAULT.strict(); }\n}\n",
    },
    calls: [
      "a/Rule.java#Rule.DEFAULT > a/Rule.java#Rule",
      "a/Rule.java#Rule.Part.go > a/Rule.java#Rule.strict",
      "a/Rule.java#Rule.run > a/Rule.java#Rule.strict",
    ],
  },
  {
    says: "a lambda that is cast to its interface, and a class that is made of an instance",
    files: {
      "a/A.java":
        "package a;\nclass A {\n  interface Each { void take(A one); }\n  class Inner { void go() {} }\n  void seen() {}\n  Object all() { return (Each) one -> one.seen(); }\n  void made(A other) { other.new Inner().go(); }\n}\n",
    },
    calls: ["a/A.java#A.all > a/A.java#A.seen", "a/A.java#A.made > a/A.java#A.Inner", "a/A.java#A.made > a/A.java#A.Inner.go"],
  },
  {
    says: "a class that a field has the name of",
    files: {
      "a/B.java":
        'package a;\nimport java.net.URI;\nclass B {\n  static final Part Part = new Part();\n  static Object URI;\n  void go() { new Part(); new URI("x"); }\n}\n',
      "a/Part.java": "package a;\nclass Part {}\n",
    },
    calls: ["a/B.java#B.Part > a/Part.java#Part", "a/B.java#B.go > a/Part.java#Part"],
  },
];

test.each([...rust, ...java])("$says", async ({ files, calls }) => {
  const found = edges(await linked(files), "call");
  expect(found).toEqual(calls);
});

test("a declaration stands at the line of its name, below its annotations", async () => {
  const graph = await linked({ "A.java": "class A {\n  @Override\n  @Deprecated\n  public void go() {}\n}\n" });
  expect(graph.symbolsOf("A.java").find(({ name }) => name === "go")?.line).toBe(4);
});
