/** How one text became the other at its end. */
export function typedDifference(before: string, after: string): { removed: number; added: string } {
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1
  return { removed: before.length - same, added: after.slice(same) }
}
