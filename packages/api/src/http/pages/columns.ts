/** Before the first cell: `plain.css` gives widths, and no cell that is read moves another. */
export const columns = (count: number): string => `<colgroup>${'<col />'.repeat(count)}</colgroup>`
