/** Normalising takes the square of the marks in a row: 256 KB of them are twelve seconds. No field has as many letters. */
const longest = 1000

/** In NFKC: what looks alike in another system's keyboard, or in wide type, is the same. What is too long for any field stays as it is. */
export const normalized = (typed: string): string => (typed.length > longest ? typed : typed.normalize('NFKC'))
