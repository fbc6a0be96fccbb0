/**
 * Notifications tell of every change but one: that a host fell silent, and its servers with it. How often a screen that
 * shows the age of what it knows looks again by itself.
 */
export const silenceLookMs = 30_000
