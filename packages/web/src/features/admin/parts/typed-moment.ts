/** A field's time (2026-11-20T14:20) in Shanghai. */
export const momentOf = (typed: string): string => `${typed}:00+08:00`

/** Empty: none. */
export const timeOf = (typed: string): string | null => (typed ? momentOf(typed) : null)
