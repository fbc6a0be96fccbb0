import type uPlot from 'uplot'
import type { useTheme } from '../theme/ThemeProvider'
import { clockTime, dateText } from './Time'

export interface ChartLine {
  label: string
  values: (number | null)[]
  /** Truer than the last point, a mean over its step. */
  now?: number | null
}

export interface LineChartProps {
  title: string
  /** ISO times, oldest first. */
  times: string[]
  lines: ChartLine[]
  firstColour?: number
  format: (value: number) => string
  /** From 0 to 100, with 80 marked. */
  percent?: boolean
}

/** What neighbouring charts point at, by its place in their times; null for the newest. */
export interface CommonCursor {
  pointed: number | null
  onPoint: (pointed: number | null) => void
}

export const height = 200

const dayMs = 24 * 3600_000
const monthText = (at: string | number) => dateText(at).slice(0, 7)

/** Without a clock where a point is a day, without a day where it is a month. */
export function stampOf([first, second]: string[]): (at: string) => string {
  const step = first !== undefined && second !== undefined ? Date.parse(second) - Date.parse(first) : 0
  if (step >= 28 * dayMs) return monthText
  return (at) => (step >= dayMs ? dateText(at) : `${dateText(at)} ${clockTime(at).slice(0, 5)}`)
}

/** No line reaches these: drawn as dots. */
export function lonePoints(values: uPlot.AlignedData[number]): number[] | null {
  const lone = [...values.keys()].filter((i) => values[i] != null && values[i - 1] == null && values[i + 1] == null)
  return lone.length > 0 ? lone : null
}

export const dataOf = ({ times, lines }: Pick<LineChartProps, 'times' | 'lines'>): uPlot.AlignedData => [
  times.map((at) => Date.parse(at) / 1000),
  ...lines.map(({ values }) => values),
]

export function optionsFor(
  props: LineChartProps,
  palette: ReturnType<typeof useTheme>['palette'],
  width: number,
): uPlot.Options {
  const { lines, firstColour = 0, percent, format } = props
  const { line, text3 } = palette.neutral
  const axis = { stroke: text3, font: '12px system-ui', ticks: { show: false } }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: percent ? { range: [0, 100] } : { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: 36,
        gap: 10,
        grid: { show: false },
        values: (plot, ticks) => {
          const { min = 0, max = 0 } = plot.scales['x'] ?? {}
          return ticks.map(tickText(((max ?? 0) - (min ?? 0)) * 1000))
        },
      },
      {
        ...axis,
        size: percent ? 44 : 76,
        ...(percent ? { splits: [0, 20, 40, 60, 80, 100] } : {}),
        grid: { stroke: line, width: 1 },
        values: (_, ticks) => namesOf(ticks, format),
      },
    ],
    series: [
      {},
      ...lines.map(({ label }, i) => {
        const stroke = palette.chart[firstColour + i] ?? text3
        return {
          label,
          stroke,
          width: 1.5,
          // Under days here and there it would look like bars.
          fill: (plot: uPlot, series: number) => (lonePoints(plot.data[series] ?? []) ? 'transparent' : `${stroke}12`),
          points: {
            show: false,
            size: 6,
            fill: stroke,
            filter: (plot: uPlot, series: number) => lonePoints(plot.data[series] ?? []),
          },
        }
      }),
    ],
    hooks: percent ? { draw: [(plot) => drawLimit(plot, palette.roles.error.text)] } : {},
  }
}

/** Short: of hours, of days, of months. */
function tickText(spanMs: number): (tick: number) => string {
  if (spanMs > 200 * dayMs) return (tick) => `${Number(monthText(tick * 1000).slice(5))}月`
  if (spanMs > 1.5 * dayMs) return (tick) => dateText(tick * 1000).slice(5)
  return (tick) => clockTime(tick * 1000).slice(0, 5)
}

/** Where two would read the same only whole ones have a name: there is no half request. */
export function namesOf(ticks: number[], format: LineChartProps['format']): string[] {
  const names = ticks.map(format)
  return new Set(names).size === names.length ? names : names.map((name, i) => (Number.isInteger(ticks[i]) ? name : ''))
}

/** From here on usage is an error. */
function drawLimit(plot: uPlot, stroke: string): void {
  const y = plot.valToPos(80, 'y', true)
  plot.ctx.save()
  plot.ctx.strokeStyle = stroke
  plot.ctx.setLineDash([4, 4])
  plot.ctx.lineWidth = 1
  plot.ctx.beginPath()
  plot.ctx.moveTo(plot.bbox.left, y)
  plot.ctx.lineTo(plot.bbox.left + plot.bbox.width, y)
  plot.ctx.stroke()
  plot.ctx.restore()
}
