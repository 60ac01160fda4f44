/**
 * The one script of all pages, served as a file of ours; every page can be read without it. While a page is looked at it hears from the server
 * that there is something new, reads the page again as a person would, and changes only what differs, so that what somebody has opened or
 * selected stays. Markup is parsed into a document of its own, in which no script runs.
 */
export const LIVE_SCRIPT = `"use strict";
(() => {
  const main = document.querySelector("main[data-live]");
  if (main === null || !("EventSource" in window)) return;
  const status = document.getElementById("live");
  const say = (words, state = "still") => {
    if (status === null) return;
    status.hidden = false;
    status.dataset.state = state;
    if (status.textContent !== words) status.textContent = words;
  };
  const AWAY = "The server does not answer; trying again.";
  let source, isReading = false, isStale = false;

  function morph(from, to) {
    if (from.isEqualNode(to) || from === status) return;
    const isSame = from.nodeType === 1 && to.nodeType === 1 && from.tagName === to.tagName && from.id === to.id;
    if (!isSame) return from.nodeType === 3 && to.nodeType === 3 ? void (from.data = to.data) : void from.replaceWith(document.importNode(to, true));
    const isFold = from.tagName === "DETAILS";
    for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !(isFold && name === "open")) from.removeAttribute(name);
    for (const { name, value } of to.attributes) if (!(isFold && name === "open") && from.getAttribute(name) !== value) from.setAttribute(name, value);
    let at = from.firstChild;
    for (const child of to.childNodes) {
      const known = child.id ? [...from.children].find(({ id }) => id === child.id) : undefined;
      if (known !== undefined && known !== at) {
        from.insertBefore(known, at);
        at = known;
      }
      if (at === null || (known === undefined && (child.id || at.id))) {
        from.insertBefore(document.importNode(child, true), at);
        continue;
      }
      const next = at.nextSibling;
      morph(at, child);
      at = next;
    }
    while (at !== null) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
  }

  async function read() {
    if (isReading) return void (isStale = true);
    isReading = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) return void (answer.status === 404 && say("This is not there any more."));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.querySelector("main");
      if (now === null) return;
      document.title = page.title;
      morph(main, now);
      if (!main.hasAttribute("data-live")) close("Ended.");
    } catch {
      say(AWAY, "lost");
    } finally {
      isReading = false;
      if (isStale) {
        isStale = false;
        setTimeout(read, 300);
      }
    }
  }

  function close(words) {
    source?.close();
    source = undefined;
    say(words);
  }

  function open() {
    const topic = main.getAttribute("data-live");
    if (topic === null || source !== undefined) return;
    source = new EventSource(topic);
    source.addEventListener("open", () => say("Live: this page follows what happens.", "on"));
    // A browser tries a stream that broke off again, and gives one up that was refused.
    source.addEventListener("error", ({ target }) => target.readyState === EventSource.CLOSED ? close("Not followed: load this page again to see more.") : say(AWAY, "lost"));
    source.addEventListener("changed", () => void read());
  }

  // A page that nobody looks at takes none of the few connections that a browser has.
  document.addEventListener("visibilitychange", () => (document.hidden ? close("Not followed while it is hidden.") : open()));
  if (!document.hidden) open();
})();
`;
