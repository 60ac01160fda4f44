import"./rolldown-runtime.js";import{parentPort as e,workerData as t}from"node:worker_threads";async function newQuickJSWASMModuleFromVariant(e){let t=smartUnwrap(await e),[n,r,{QuickJSWASMModule:i}]=await Promise.all([t.importModuleLoader().then(smartUnwrap),t.importFFI(),import(`./module-ES6BEMUI.js`).then(smartUnwrap)]),a=await n();return a.type=`sync`,new i(a,new r(a))}function smartUnwrap(e){return e&&`default`in e&&e.default?e.default&&`default`in e.default&&e.default.default?e.default.default:e.default:e}const n=String.raw`(request, log, settle, list) => {
  "use strict";
  const { stringify, parse } = JSON;
  const { defineProperty, create } = Object;
  const Failure = Error;
  const text = String;
  const isError = (value) => value instanceof Failure;

  const lineOf = (stack) => {
    const found = /script\.js:(\d+)/.exec(text(stack));
    return found === null ? undefined : found[1] - 1;
  };
  const describe = (value) => {
    if (!isError(value)) return "it threw " + show(value);
    const line = value.line ?? lineOf(value.stack);
    const words = value.name === "ToolError" ? text(value.message) : text(value.name) + ": " + text(value.message);
    return words + (line > 0 ? " (line " + line + ")" : "");
  };
  const show = (value) => {
    if (typeof value === "string") return value;
    if (isError(value)) return describe(value);
    try {
      return stringify(value) ?? text(value);
    } catch {
      return text(value);
    }
  };

  class ToolError extends Failure {}
  defineProperty(ToolError.prototype, "name", { value: "ToolError" });

  const call = (name) => async (args = {}) => {
    const line = lineOf(new Failure().stack);
    let failed;
    try {
      return await request("call", name, stringify(args) ?? "null");
    } catch (error) {
      if (typeof error !== "string") throw error;
      failed = new ToolError(error);
    }
    defineProperty(failed, "line", { value: line });
    throw failed;
  };
  const own = create(null);
  for (const name of parse(list)) own[name] = call(name);
  // A name that does not exist is asked for all the same: the answer says which do. Whoever awaits the object itself asks for "then".
  const tools = new Proxy(own, {
    get: (_, name) => own[name] ?? (typeof name === "string" && name !== "then" ? call(name) : undefined),
    set: () => false,
    defineProperty: () => false,
  });

  const tell = (line) => log(stringify(line));
  const say = (...values) => {
    let line = "";
    for (let at = 0; at < values.length; at++) line += (at === 0 ? "" : " ") + show(values[at]);
    tell(line);
  };
  let timers = 0;
  const cleared = new Set();
  const hidden = { writable: true, configurable: true, enumerable: false };
  const give = (name, value) => defineProperty(globalThis, name, { ...hidden, value });
  give("tools", tools);
  give("console", { log: say, info: say, debug: say, warn: say, error: say });
  give("setTimeout", (work, ms = 0, ...args) => {
    const id = ++timers;
    (async () => {
      await request("wait", text(+ms), "");
      if (!cleared.has(id)) await work(...args);
    })().catch((error) => tell("[in a timer] " + show(error)));
    return id;
  });
  give("clearTimeout", (id) => void cleared.add(id));

  const answerOf = (value) => {
    if (typeof value === "string") return value;
    if (value === undefined) return "(the script returned nothing; return what is to be seen)";
    const json = stringify(value);
    if (json === undefined) throw new TypeError("what the script returned has no JSON form");
    return json;
  };
  return async (main) => {
    let answer;
    try {
      answer = answerOf(await main());
    } catch (error) {
      settle("failed", stringify(describe(error)));
      return;
    }
    settle("done", stringify(answer));
  };
}`,r=2**31-1,{script:i,names:a,limits:o}=t,send=t=>{e?.postMessage(t)},s=(await newQuickJSWASMModuleFromVariant(import(`./dist.js`))).newRuntime();s.setMemoryLimit(o.memoryBytes),s.setMaxStackSize(o.stackBytes);const c=s.newContext(),l=/* @__PURE__ */ new Map;let u=0,d=0,f=``,p=0,m,h=0,g=performance.now(),_=!1;s.setInterruptHandler(()=>(_||=h+performance.now()-g>o.computingMs,_));const goesOn=()=>m===void 0&&!_;function compute(e){if(m===void 0){send({kind:`busy`}),g=performance.now();try{for(e();goesOn()&&s.hasPendingJob();)s.executePendingJobs(1e3).dispose()}catch(e){m??={ok:!1,text:whyBroken(e)}}if(h+=performance.now()-g,_&&(m={ok:!1,text:`The script computed for more than ${o.computingMs/1e3} s and was ended.`}),m===void 0&&l.size===0&&(m={ok:!1,text:whyStuck()}),m===void 0)return send({kind:`idle`});finish(m)}}function finish({ok:t,text:n}){let r=p>0?`\n[${p} more characters were not kept]`:``;send({kind:`done`,ok:t,text:bounded(explained(n),o.answerLength),log:f+r}),e?.close()}function explained(e){return e.startsWith(`InternalError: out of memory`)?`The script used more than its ${o.memoryBytes/2**20} MB of memory. (${e})`:e.startsWith(`InternalError: stack overflow`)?`The script called itself too deeply. (${e})`:e}function whyBroken(e){return e instanceof RangeError?`The script called itself too deeply.`:`The script broke the engine it ran in, as when it uses up its ${o.memoryBytes/2**20} MB of memory.`}function whyStuck(){let e=x===void 0?void 0:c.getPromiseState(x);return e?.type===`rejected`?`The script ended without an answer: ${bounded(JSON.stringify(c.dump(e.error)),500)}`:`The script waits for a promise that nothing will settle.`}function bounded(e,t){return e.length<=t?e:`${e.slice(0,t)}\n[… ${e.length-t} characters were not kept]`}function textOf(e){return e===void 0?``:c.getString(e)}function plainOf(e){return String(JSON.parse(textOf(e)))}function settleRequest(e,t,n){let r=l.get(e);l.delete(e);using i=c.newString(n);t?r?.resolve(i):r?.reject(i)}const v=c.newFunction(`request`,(e,t,n)=>{let i=c.newPromise(),refuse=e=>{using t=c.newString(`[error] ${e}`);return i.reject(t),i.handle},[a,s,f]=[textOf(e),textOf(t),textOf(n)],p=++u;return a===`wait`?l.size>=o.timers?refuse(`A script may wait for at most ${o.timers} things at once.`):(l.set(p,i),setTimeout(()=>compute(()=>settleRequest(p,!0,``)),Math.min(Math.max(0,Number(s)||0),r)),i.handle):++d>o.calls?refuse(`A script may make at most ${o.calls} calls; go on in another one.`):f.length>o.argumentsLength?refuse(`The arguments are longer than ${o.argumentsLength} characters.`):(l.set(p,i),send({kind:`call`,id:p,name:s,args:f}),i.handle)}),y=c.newFunction(`log`,e=>{let t=plainOf(e),n=t.slice(0,Math.max(0,o.logLength-f.length));(n!==``||t===``)&&(f+=f===``?n:`\n${n}`),p+=t.length-n.length}),b=c.newFunction(`settle`,(e,t)=>{m??={ok:textOf(e)===`done`,text:plainOf(t)}});let x;e?.on(`message`,({id:e,ok:t,text:n})=>compute(()=>settleRequest(e,t,n))),compute(()=>{let e=c.newString(JSON.stringify(a)),t=c.unwrapResult(c.evalCode(n,`prelude.js`)),r=c.unwrapResult(c.callFunction(t,c.undefined,v,y,b,e)),o=c.evalCode(`(async () => {\n${i}\n})`,`script.js`);if(o.error!==void 0){let{name:e,message:t,stack:n}=c.dump(o.error),r=Number(/script\.js:(\d+)/.exec(n??``)?.[1]??0)-1;m={ok:!1,text:`The script cannot be read: ${e}: ${t}${r>0?` (line ${r})`:``}`}}else x=c.unwrapResult(c.callFunction(r,c.undefined,o.value))});export{};