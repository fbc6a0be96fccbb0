/** U+0000 and lone surrogates: no row takes them. */
export const unstorable = /[\0\p{Surrogate}]/gu

/** Without what no row takes; also when cut inside a sign. */
export const storable = (said: string): string => said.replaceAll(unstorable, '')
