/** Widths from `plain.css` before the first cell, so that no cell moves another. */
export const columns = (count: number): string => `<colgroup>${'<col />'.repeat(count)}</colgroup>`
