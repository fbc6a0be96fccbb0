import type { DayLevel } from '@vps/shared/status'

export const pitch = 14
export const side = 11
const round = 4

/** Never colour alone: the less, the shorter. */
const heights: Record<DayLevel, number> = { none: side, good: side, minor: 8, major: 6 }
const levels = ['none', 'good', 'minor', 'major'] as const

/** A line in the cells' colour rounds their corners. */
export const rounded = { strokeWidth: round, strokeLinejoin: 'round' } as const

/** A path per level instead of an element per cell; null is no cell. */
export function cellPaths(cells: readonly (DayLevel | null)[], columns: number): [level: DayLevel, path: string][] {
  return levels.map((level) => [
    level,
    cells.map((one, n) => (one === level ? cellAt(n % columns, Math.floor(n / columns), level) : '')).join(''),
  ])
}

function cellAt(column: number, row: number, level: DayLevel): string {
  const [wide, tall] = [side - round, heights[level] - round]
  return `M${column * pitch + round / 2} ${row * pitch + side - round / 2}v-${tall}h${wide}v${tall}z`
}

const figures: Record<string, string> = {
  '0': '### #.# #.# #.# ###',
  '3': '### ..# ### ..# ###',
  '4': '#.# #.# ### ..# ..#',
}

/** 404 or 403 in lit cells. */
export function figureCells(text: string): { cells: DayLevel[]; columns: number } {
  const drawn = [...text].map((figure) => figures[figure]?.split(' ') ?? [])
  const rows = [0, 1, 2, 3, 4].map((row) => `..${drawn.map((figure) => figure[row]).join('.')}..`)
  const columns = text.length * 4 + 3
  const edge = '.'.repeat(columns)
  return { columns, cells: [...edge, ...rows.join(''), ...edge].map((cell) => (cell === '#' ? 'good' : 'none')) }
}
