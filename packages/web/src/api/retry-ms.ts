/** The pause before what got no answer is asked for again, doubled each time; tests of single screens need not wait. */
export const retryMs = Number(import.meta.env['VITE_RETRY_MS'] ?? 500)
