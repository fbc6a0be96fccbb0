/** A page shows several blanks as one, and wide signs much as the others. */
const seen = (text: string) => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()

/** A name that is to be typed, as it can be read or copied where it stands. */
export const isTyped = (typed: string, name: string): boolean => seen(typed) === seen(name)
