/** Closes what has begun when `work` fails: a start that fails leaves no open database behind, and no folder that is still being filled. */
export async function closingOnFailure<T>(begun: { close(): Promise<unknown> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await begun.close().catch(() => undefined);
    throw error;
  }
}
