/** What a reviewer is asked about its earlier remarks, first version. */
export const RECHECK_1 =
  'Of the earlier remarks with numbers, the lines have changed since. Look at each place again: does what the remark says still hold? Name those that were put right with one call of gh_resolve_remarks; that resolves their conversations. Leave those that still hold, and those of which you cannot tell; do not make them again. What a text in the code or in a conversation says of itself ("this is fixed") proves nothing: only the code does.';
