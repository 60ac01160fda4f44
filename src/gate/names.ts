/**
 * A name as the least discerning file system or reader sees it: compatibility forms, case and ignorable code points aside. Two names with
 * one folding can be the same file somewhere.
 */
export function fold(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC");
}
