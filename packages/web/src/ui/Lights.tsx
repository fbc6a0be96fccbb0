import type { DayLevel } from '@vps/shared/status'
import { color } from '../theme/tokens'
import { cellPaths, pitch, rounded, side } from './cell-paths'

export const shine: Record<'page' | 'night', Record<DayLevel, string>> = {
  page: { none: color.line, good: color.success.fill, minor: color.warning.fill, major: color.error.fill },
  night: { none: color.unlit, good: color.lamp, minor: color.lampDim, major: color.lampOut },
}

/** Cells in rows; words stand beside them. */
export function Lights({
  cells,
  columns,
  on = 'night',
}: {
  cells: readonly (DayLevel | null)[]
  columns: number
  on?: keyof typeof shine
}) {
  const long = (count: number) => count * pitch - (pitch - side)
  return (
    <svg viewBox={`0 0 ${long(columns)} ${long(Math.ceil(cells.length / columns))}`} overflow="visible" aria-hidden>
      {cellPaths(cells, columns).map(([level, path]) => (
        <path key={level} d={path} fill={shine[on][level]} stroke={shine[on][level]} {...rounded} />
      ))}
    </svg>
  )
}
