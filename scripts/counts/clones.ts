import type { Source } from './sources.js'

const windowLines = 6

/** From six equal lines, the longest run of each pair; imports and brackets alone do not count. */
export function findClones(sources: readonly Source[]): string[] {
  const lines = sources.map(({ file, text }) => ({ file, lines: linesThatCount(text) }))
  const seen = new Map<string, { source: number; at: number }[]>()
  for (const [source, { lines: own }] of lines.entries())
    for (let at = 0; at + windowLines <= own.length; at += 1) {
      const key = own
        .slice(at, at + windowLines)
        .map(({ text }) => text)
        .join('\n')
      seen.set(key, [...(seen.get(key) ?? []), { source, at }])
    }
  const clones: string[] = []
  const covered = new Set<string>()
  for (const places of seen.values())
    for (const [n, one] of places.entries())
      for (const other of places.slice(n + 1)) {
        const key = (back: number) => `${one.source}:${one.at - back} ${other.source}:${other.at - back}`
        // The next window of a run that was told.
        if (!covered.has(key(1))) clones.push(`${placeOf(one)} = ${placeOf(other)}`)
        covered.add(key(0))
      }
  return clones

  function placeOf({ source, at }: { source: number; at: number }): string {
    return `${lines[source]?.file}:${lines[source]?.lines[at]?.number}`
  }
}

function linesThatCount(text: string): { number: number; text: string }[] {
  return text
    .replaceAll(/^import\b[^;]*? from '[^']+'$/gms, (all) => all.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter(({ text }) => /\w/.test(text))
}
