/** `ratio` is the product's figure by its floor's, or the reverse where less is better. */
export type Row = {
  name: string
  floor: string
  floorFigure: number | null
  product: number
  unit: string
  ratio: number | null
  goal: string
  met: boolean
  p99FloorMs?: number
  p99Ms?: number
  /** A request's processor time. */
  cpuMs?: { api: number; postgres: number }
}

export type Measured = { perSecond: number; p99Ms: number; cpuMs?: { api: number; postgres: number } }

/** A rate that should reach a share of its floor's. */
export function rateRow(name: string, floor: string, goal: number | null, bare: Measured, own: Measured): Row {
  const ratio = own.perSecond / bare.perSecond
  return {
    name,
    floor,
    floorFigure: bare.perSecond,
    product: own.perSecond,
    unit: '/s',
    ratio,
    goal: goal === null ? '–' : `≥ ${goal}`,
    met: goal === null || ratio >= goal,
    p99FloorMs: bare.p99Ms,
    p99Ms: own.p99Ms,
    ...(own.cpuMs && { cpuMs: own.cpuMs }),
  }
}

/** A size or time within a multiple of its floor's. */
export function costRow(name: string, floor: string, unit: string, goal: number, bare: number, own: number): Row {
  const ratio = own / bare
  return { name, floor, floorFigure: bare, product: own, unit, ratio, goal: `≤ ${goal}`, met: ratio <= goal }
}

/** A figure with a bound of its own. */
export function boundRow(name: string, unit: string, most: number, own: number): Row {
  return { name, floor: '–', floorFigure: null, product: own, unit, ratio: null, goal: `≤ ${most}`, met: own <= most }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
