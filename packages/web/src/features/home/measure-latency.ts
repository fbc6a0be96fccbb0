const times = 5
const longestMs = 3_000

/**
 * Milliseconds until the address answers: the middle of five, after one that looks the name up and opens the line. Null
 * where it does not answer, or was not waited for. What it answers is not read.
 */
export async function measureLatency(address: string, left: AbortSignal): Promise<number | null> {
  const measured: number[] = []
  for (let n = 0; n <= times; n++) {
    const began = performance.now()
    const signal = AbortSignal.any([left, AbortSignal.timeout(longestMs)])
    try {
      await fetch(address, {
        mode: 'no-cors',
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal,
      })
    } catch {
      return null
    }
    if (n > 0) measured.push(performance.now() - began)
  }
  return Math.round(measured.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0)
}
