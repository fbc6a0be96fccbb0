import type { DayLevel } from '@vps/shared/status'

export const unit = 3
const [width, height] = [2, 32]

/** Never colour alone: the less, the shorter. */
const heights: Record<DayLevel, number> = { none: 4, good: height, minor: 24, major: 16 }
const levels = ['none', 'good', 'minor', 'major'] as const

/** A path per level, instead of an element per day. */
export function barsOf(days: readonly DayLevel[]): [level: DayLevel, path: string][] {
  return levels.map((level) => [
    level,
    days.map((one, place) => (one === level ? barAt(place, heights[level]) : '')).join(''),
  ])
}

const barAt = (place: number, tall: number) => `M${place * unit} ${height - tall}h${width}v${tall}h-${width}z`
