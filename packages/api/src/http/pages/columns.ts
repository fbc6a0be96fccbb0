/** A table's columns before its first cell: `plain.css` gives them their widths, and no cell that is read moves another. */
export const columns = (count: number): string => `<colgroup>${'<col />'.repeat(count)}</colgroup>`
