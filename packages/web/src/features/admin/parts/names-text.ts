import * as labels from '@vps/shared/labels'

const shown = 2

/** The first few of machines, and how many there are. Null: none. */
export function machinesText(names: readonly string[]): string | null {
  const first = names.slice(0, shown).join('、')
  return names.length > shown ? `${first} 等 ${names.length} ${labels.machinesUnit}` : first || null
}
