/** U+0000 and lone surrogates: no row takes them. */
export const unstorable = /[\0\p{Surrogate}]/gu

/** What others say, without what no row takes; also where it was cut in the middle of a sign. */
export const storable = (said: string): string => said.replaceAll(unstorable, '')
