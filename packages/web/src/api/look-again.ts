/** No notification tells that a host fell silent: screens with ages look again this often. */
export const silenceLookMs = 30_000
