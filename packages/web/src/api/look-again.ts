/**
 * No notification tells that a host, and its servers with it, fell silent: a screen that shows ages looks again this
 * often.
 */
export const silenceLookMs = 30_000
