/** No result over 64 kB enters the conversation; the rest of the room is for its prefix and a warning. */
const LARGEST_RESULT = 62_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A result's text within the limit: its head and its tail, and between them how much was left out. */
export function boundResult(text: string, largest = LARGEST_RESULT): string {
  // One UTF-16 unit is at most three bytes, so short texts need no encoding.
  if (text.length * 3 <= largest) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= largest) return text;
  const room = largest - 200;
  const head = wholeCharacters(bytes.subarray(0, Math.floor(room * 0.6)));
  const tail = wholeCharacters(bytes.subarray(bytes.length - Math.floor(room * 0.4)));
  const left = bytes.length - encoder.encode(head + tail).length;
  return `${head}\n[… ${left} of ${bytes.length} bytes left out here; ask for a part or narrow the call to see them …]\n${tail}`;
}

/** Decodes a slice of UTF-8 and drops the halves of characters at its ends. */
function wholeCharacters(bytes: Uint8Array): string {
  return decoder.decode(bytes).replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, "");
}
