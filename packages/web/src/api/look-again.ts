/** No notification tells that a host fell silent, so screens look this often. */
export const silenceLookMs = 30_000
