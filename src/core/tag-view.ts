export interface TagView {
  readonly name: string;
  /** The commit that it points at. */
  readonly sha: string;
}
