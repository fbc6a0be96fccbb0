/** What is longer is not looked through: marks or blanks in a row may take their square, seconds of a request. No field has as many letters. */
export const longestRead = 1000

/** In NFKC: what looks alike in another system's keyboard, or in wide type, is the same. What is too long for any field stays as it is. */
export const normalized = (typed: string): string => (typed.length > longestRead ? typed : typed.normalize('NFKC'))
