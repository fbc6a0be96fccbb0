/** Doubled each time; tests set it. */
export const retryMs = Number(import.meta.env['VITE_RETRY_MS'] ?? 500)
