/** United States dollars for people: `$0.12`; small amounts with four places, since most turns cost less than a cent. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
