/** The nearest step in range; null for no number. */
export function settledNumber(typed: string, { min, max, step }: { min: number; max: number; step: number }) {
  // An input method may give the wide digits of Chinese type.
  const wanted = Number(typed.normalize('NFKC'))
  if (typed.trim() === '' || Number.isNaN(wanted)) return null
  return Math.min(max, Math.max(min, min + Math.round((wanted - min) / step) * step))
}
