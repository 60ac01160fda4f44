import { describe, expect, test } from "vitest";
import { edges, linked } from "../linked.ts";
import type { Files } from "../linked.ts";

interface Row {
  readonly says: string;
  readonly files: Files;
  readonly calls: readonly string[];
}

const service = "export class Service {\n  run() {}\n}\nexport class Decoy {\n  run() {}\n}\n";

const typescript: readonly Row[] = [
  {
    says: "a re-export under another name",
    files: {
      "a.ts": "export default function open() {}\n",
      "b.ts": "export { default as start } from './a'\n",
      "c.ts": "import { start } from './b'\nexport const go = () => start()\n",
    },
    calls: ["c.ts#go > a.ts#open"],
  },
  {
    says: "a cycle of re-exports",
    files: {
      "a.ts": "export * from './b'\n",
      "b.ts": "export * from './a'\nexport function f() {}\n",
      "c.ts": "import { f } from './a'\nexport const go = () => f()\n",
    },
    calls: ["c.ts#go > b.ts#f"],
  },
  {
    says: "a namespace import",
    files: { "a.ts": "export function f() {}\n", "b.ts": "import * as all from './a'\nexport const go = () => all.f()\n" },
    calls: ["b.ts#go > a.ts#f"],
  },
  {
    says: "a path mapping of tsconfig.json, comments and all",
    files: {
      "tsconfig.json": '{ // here\n "compilerOptions": { "paths": { "@/*": ["./src/*"], } } }',
      "src/a.ts": "export function f() {}\n",
      "b.ts": "import { f } from '@/a'\nexport const go = () => f()\n",
    },
    calls: ["b.ts#go > src/a.ts#f"],
  },
  {
    says: "a package of the workspace by its exports, built files standing for their sources",
    files: {
      "packages/x/package.json": '{"name":"@w/x","exports":{".":{"import":"./dist/index.js"}}}',
      "packages/x/src/index.ts": "export function f() {}\n",
      "app.ts": "import { f } from '@w/x'\nexport const go = () => f()\n",
    },
    calls: ["app.ts#go > packages/x/src/index.ts#f"],
  },
  {
    says: "a compiled name for its source",
    files: { "a.ts": "export function f() {}\n", "b.ts": "import { f } from './a.js'\nexport const go = () => f()\n" },
    calls: ["b.ts#go > a.ts#f"],
  },
  {
    says: "a module of CommonJS",
    files: { "a.js": "exports.f = function () {}\n", "b.js": "const { f } = require('./a')\nfunction go() { f() }\n" },
    calls: ["b.js#go > a.js#f"],
  },
  {
    says: "a parameter's type",
    files: { "a.ts": `${service}export function go(service: Service) { service.run() }\n` },
    calls: ["a.ts#go > a.ts#Service.run"],
  },
  {
    says: "what a function without a written type gives",
    files: { "a.ts": `${service}const make = () => new Service()\nexport const go = () => make().run()\n` },
    calls: ["a.ts#go > a.ts#Service", "a.ts#go > a.ts#Service.run", "a.ts#go > a.ts#make", "a.ts#make > a.ts#Service"].slice(1),
  },
  {
    says: "a field that the constructor takes",
    files: { "a.ts": `${service}export class Host { constructor(private service: Service) {}\n go() { this.service.run() } }\n` },
    calls: ["a.ts#Host.go > a.ts#Service.run"],
  },
  {
    says: "a generic class's argument, awaited and looped over",
    files: {
      "a.ts": `${service}class Box<T> { async all(): Promise<T[]> { return [] } }\nexport async function go(box: Box<Service>) { for (const each of await box.all()) each.run() }\n`,
    },
    calls: ["a.ts#go > a.ts#Box.all", "a.ts#go > a.ts#Service.run"],
  },
  {
    says: "a lambda's parameter, from the method it is handed to",
    files: { "a.ts": `${service}export const go = (all: Service[]) => all.filter(Boolean).map((each) => each.run())\n` },
    calls: ["a.ts#go > a.ts#Service.run"],
  },
  {
    says: "a lambda's parameter, from a function type of the repository",
    files: {
      "a.ts": `${service}type Use = (service: Service) => void\nfunction each(use: Use) {}\nexport const go = () => each((service) => service.run())\n`,
    },
    calls: ["a.ts#go > a.ts#Service.run", "a.ts#go > a.ts#each"],
  },
  {
    says: "a method that a base class declares, through `this` and `super`",
    files: { "a.ts": "class Base { ready() {} }\nexport class Own extends Base { ready() { super.ready() }\n go() { this.ready() } }\n" },
    calls: ["a.ts#Own.go > a.ts#Own.ready", "a.ts#Own.ready > a.ts#Base.ready"],
  },
  {
    says: "what `instanceof` has shown",
    files: { "a.ts": `${service}export function go(x: unknown) { if (x instanceof Service) { x.run() } }\n` },
    calls: ["a.ts#go > a.ts#Service.run"],
  },
  {
    says: "a method that gives `this` back to a class below",
    files: {
      "a.ts":
        "class Base { with() { return this } }\nclass Own extends Base { end() {} }\nexport const go = (own: Own) => own.with().end()\n",
    },
    calls: ["a.ts#go > a.ts#Base.with", "a.ts#go > a.ts#Own.end"],
  },
  {
    says: "a method of a type that is written out under a name",
    files: { "a.ts": "type T = { go(): void };\nexport const f = (t: T) => t.go();\n" },
    calls: ["a.ts#f > a.ts#T.go"],
  },
  {
    says: "a tagged template",
    files: { "a.ts": "function sql(parts: TemplateStringsArray) {}\nexport const go = () => sql`select`\n" },
    calls: ["a.ts#go > a.ts#sql"],
  },
  {
    says: "nothing, when the receiver comes from outside the repository",
    files: { "a.ts": `import { client } from 'outside'\n${service}export const go = () => client().run()\n` },
    calls: [],
  },
];

const python: readonly Row[] = [
  {
    says: "a relative import through the package's own names",
    files: {
      "p/__init__.py": "from .a import A\n",
      "p/a.py": "class A:\n    def go(self):\n        return self.step()\n    def step(self):\n        pass\n",
      "m.py": "from p import A\n\ndef run():\n    A().go()\n",
    },
    calls: ["m.py#run > p/a.py#A", "m.py#run > p/a.py#A.go", "p/a.py#A.go > p/a.py#A.step"],
  },
  {
    says: "a module of a package, imported by its dotted name",
    files: { "p/__init__.py": "", "p/q.py": "def f():\n    pass\n", "m.py": "import p.q\n\ndef run():\n    p.q.f()\n" },
    calls: ["m.py#run > p/q.py#f"],
  },
  {
    says: "a context manager's own value, and an annotation in quotes",
    files: {
      "m.py":
        "class A:\n    def __enter__(self) -> 'A':\n        return self\n    def go(self):\n        pass\n\ndef run():\n    with A() as a:\n        a.go()\n",
    },
    calls: ["m.py#run > m.py#A", "m.py#run > m.py#A.go"],
  },
  {
    says: "a property, a base's method by super() and a field from the constructor",
    files: {
      "m.py":
        "class Base:\n    def go(self):\n        pass\nclass Tool:\n    def use(self):\n        pass\nclass A(Base):\n    def __init__(self):\n        self.tool = Tool()\n    @property\n    def own(self) -> Tool:\n        return self.tool\n    def go(self):\n        super().go()\n        self.tool.use()\n        self.own.use()\n",
    },
    calls: ["m.py#A.__init__ > m.py#Tool", "m.py#A.go > m.py#Base.go", "m.py#A.go > m.py#Tool.use"],
  },
  {
    says: "an awaited coroutine and a comprehension",
    files: {
      "m.py":
        "class A:\n    def go(self):\n        pass\nasync def load() -> list[A]:\n    return []\nasync def run():\n    return [a.go() for a in await load()]\n",
    },
    calls: ["m.py#run > m.py#A.go", "m.py#run > m.py#load"],
  },
];

const others: readonly Row[] = [
  {
    says: "Go's package and receiver",
    files: {
      "go.mod": "module e.test/a\n",
      "b/b.go": "package b\n\ntype T struct{}\n\nfunc New() *T { return &T{} }\n",
      "b/m.go": "package b\n\nfunc (t *T) Go() { t.step() }\nfunc (t *T) step() {}\n",
      "main.go": 'package main\n\nimport "e.test/a/b"\n\nfunc main() {\n\tt, _ := b.New(), 1\n\tt.Go()\n}\n',
    },
    calls: ["b/m.go#T.Go > b/m.go#T.step", "main.go#main > b/b.go#New", "main.go#main > b/m.go#T.Go"],
  },
  {
    says: "what Go makes with new, gives back under a name, converts, and fills type parameters with; an error's own method is outside",
    files: {
      "go.mod": "module e.test/a\n",
      "a.go":
        'package a\n\ntype T struct{}\ntype I interface{ Go() }\n\nfunc (t *T) Go() {}\nfunc (t *T) Error() string { return "" }\nfunc find() (t *T, err error) { t.Go(); return }\nfunc each[V any](v V) {}\nfunc run(x any, err error) {\n\tnew(T).Go()\n\tI(x).Go()\n\teach[string]("")\n\t_ = err.Error()\n}\n',
    },
    calls: ["a.go#find > a.go#T.Go", "a.go#run > a.go#I", "a.go#run > a.go#I.Go", "a.go#run > a.go#T.Go", "a.go#run > a.go#each"],
  },
  {
    says: "Java's methods apart from fields and variables of their name, by number and kind of arguments",
    files: {
      "x/A.java":
        "package x;\npublic class A extends B {\n  String text;\n  String text() { return text; }\n  void put(int n) {}\n  void put(String s) {}\n  void run() { String text = text(); put(text); attr(1); }\n}\n",
      "x/B.java": 'package x;\nclass B {\n  void attr(int n) {}\n  void put(String s, int n) {}\n  void go(A a) { a.put("", 1); }\n}\n',
    },
    calls: [
      "x/A.java#A.run > x/A.java#A.put",
      "x/A.java#A.run > x/A.java#A.text",
      "x/A.java#A.run > x/B.java#B.attr",
      "x/B.java#B.go > x/B.java#B.put",
    ],
  },
  {
    says: "Java's nested classes by import, and the bodies of an enum's constants",
    files: {
      "x/A.java": "package x;\npublic class A {\n  public static class In {\n    void go() {}\n  }\n}\n",
      "y/E.java":
        "package y;\nimport x.A.In;\nenum E {\n  ONE { void run() { new In().go(); help(); } };\n  abstract void run();\n  void help() {}\n}\n",
    },
    calls: ["y/E.java#E.run > x/A.java#A.In", "y/E.java#E.run > x/A.java#A.In.go", "y/E.java#E.run > y/E.java#E.help"],
  },
  {
    says: "Rust's impls in other files than the type, bounds of type parameters, and functions behind variables of their name",
    files: {
      "Cargo.toml": '[package]\nname = "k"\n',
      "src/lib.rs": "mod b;\npub trait Go { fn go(&self); }\npub struct A { own: B }\npub struct B;\nimpl B { fn step(&self) {} }\n",
      "src/b.rs":
        "use crate::A;\nimpl A {\n  fn run(&self) { self.own.step(); Self::make(); }\n}\nimpl A {\n  fn make() { let part = part(); crate::b::part(); }\n}\nfn part() {}\nfn all<T>(t: T) where T: crate::Go { t.go() }\nmod tests {\n  use super::part;\n  fn check(a: crate::A) { assert_eq!(part(), a.run()); }\n}\n",
    },
    calls: [
      "src/b.rs#A.make > src/b.rs#part",
      "src/b.rs#A.run > src/b.rs#A.make",
      "src/b.rs#A.run > src/lib.rs#B.step",
      "src/b.rs#all > src/lib.rs#Go.go",
      "src/b.rs#tests.check > src/b.rs#A.run",
      "src/b.rs#tests.check > src/b.rs#part",
    ],
  },
  {
    says: "Java's fields, statics and lambdas",
    files: {
      "x/A.java":
        "package x;\nimport java.util.List;\npublic class A {\n  static A make() { return new A(); }\n  void go() {}\n  void all(List<A> list) { list.forEach(a -> a.go()); make().go(); }\n}\n",
    },
    calls: ["x/A.java#A.all > x/A.java#A.go", "x/A.java#A.all > x/A.java#A.make", "x/A.java#A.make > x/A.java#A"],
  },
  {
    says: "Rust's methods beside their type",
    files: {
      "Cargo.toml": '[package]\nname = "k"\n',
      "src/lib.rs": "pub mod a;\n",
      "src/a.rs":
        "pub struct A {}\nimpl A {\n  pub fn new() -> Self { A {} }\n  pub fn go(&self) { self.step() }\n  fn step(&self) {}\n}\n",
      "src/main.rs": "use k::a::A;\n\nfn main() {\n  let a = A::new();\n  a.go();\n}\n",
    },
    calls: ["src/a.rs#A.go > src/a.rs#A.step", "src/main.rs#main > src/a.rs#A.go", "src/main.rs#main > src/a.rs#A.new"],
  },
  {
    says: "Ruby's class opened in two files",
    files: { "a.rb": "class A\n  def go\n    step(1)\n  end\nend\n", "b.rb": "class A\n  def step(n)\n  end\nend\n" },
    calls: ["a.rb#A.go > b.rb#A.step"],
  },
  {
    says: "C++'s methods defined outside their class",
    files: {
      "a.h": "class A { public: void go(); void step(); };\n",
      "a.cpp": '#include "a.h"\nvoid A::go() { this->step(); }\nint run() { A a; a.go(); return 0; }\n',
    },
    calls: ["a.cpp#run > a.h#A.go"],
  },
  {
    says: "a shell script's functions, read in from another",
    files: { "lib.sh": "say() { echo hi; }\n", "run.sh": "source ./lib.sh\nmain() { say; }\nmain\n" },
    calls: ["run.sh > run.sh#main", "run.sh#main > lib.sh#say"],
  },
];

describe.each([
  ["TypeScript and JavaScript", typescript],
  ["Python", python],
  ["other languages", others],
])("calls in %s", (_, rows) => {
  test.each(rows)("follow $says", async ({ files, calls }) => {
    expect(edges(await linked(files), "call")).toEqual([...calls].toSorted());
  });
});
