import type { DayLevel } from '@vps/shared/status'

export const unit = 3
const [width, height] = [2, 32]

/** The less there was, the shorter: never colour alone. */
const heights: Record<DayLevel, number> = { none: 4, good: height, minor: 24, major: 16 }
const levels = ['none', 'good', 'minor', 'major'] as const

/** Ninety days as a path per level, instead of an element per day. */
export function barsOf(days: readonly DayLevel[]): [level: DayLevel, path: string][] {
  return levels.map((level) => [
    level,
    days.map((one, place) => (one === level ? barAt(place, heights[level]) : '')).join(''),
  ])
}

const barAt = (place: number, tall: number) => `M${place * unit} ${height - tall}h${width}v${tall}h-${width}z`
