/** Unbiased; unlike `randomUUID`, `crypto.getRandomValues` also exists on plain HTTP. */
export function randomBelow(below: number): number {
  const limit = Math.floor(2 ** 32 / below) * below
  for (;;) {
    const [draw = limit] = crypto.getRandomValues(new Uint32Array(1))
    if (draw < limit) return draw % below
  }
}

/** Makes a repeated call the same call. */
export function idempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
