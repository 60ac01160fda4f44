/** Characters of an answer that says no more than that it is so. */
const SHORT = 160;
const AGREED =
  /^(?:fixed|done|addressed|resolved|changed|updated|corrected|removed|renamed|reworked|agreed|right|true|yes|ok(?:ay)?|thanks|thank you|thx|ty|good (?:catch|point|find|call)|nice catch|you(?:'|’)re right|makes sense|will (?:do|fix)|\p{Extended_Pictographic}|\+1)/iu;
const BUT =
  /\?|\b(?:not|no|but|however|don['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|wasn['’]?t|won['’]?t|can['’]?t|disagree|wrong|intended|intentional(?:ly)?|by design|on purpose|actually|instead|why|still|later|leave|keep(?:ing)?|false)\b/i;

/** Whether an answer plainly agrees: a few words such as "Fixed in 1a2b3c4", with no "but". Whatever could be an objection is taken for one. */
export function agrees(answer: string): boolean {
  const text = answer.trim().replace(/^(?:@[\w[\]-]+[\s,:]+)+/, "");
  return text.length <= SHORT && AGREED.test(text) && !BUT.test(text);
}
