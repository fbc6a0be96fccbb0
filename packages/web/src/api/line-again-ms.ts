/** After a restart of the server every tab would come back at once, and ask for all it shows. */
export const lineAgainMs = (attempt: number, random = Math.random()): number =>
  random * Math.min(2_000 * 2 ** attempt, 30_000)
