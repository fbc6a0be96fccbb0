/** Doubled each time; tests of screens set it. */
export const retryMs = Number(import.meta.env['VITE_RETRY_MS'] ?? 500)
