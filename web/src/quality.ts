// How finely things are drawn: where there is no GPU, every vertex counts.
export const quality = { fine: true };

/** A number of segments. */
export function segments(fine: number, coarse: number): number {
  return quality.fine ? fine : coarse;
}
