/** Nobody tells that a host fell silent. */
export const silenceLookMs = 30_000
