import * as labels from '@vps/shared/labels'
import { useEffect, useRef, useState } from 'react'
import styled from 'styled-components'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../theme/ThemeProvider'
import { color, font, radius } from '../theme/tokens'
import { clockTime, dateText } from './Time'

export interface ChartLine {
  label: string
  values: (number | null)[]
  /** What it is just now, where that is known better than from the last point, which is a mean over its step. */
  now?: number | null
}

interface LineChartProps {
  title: string
  /** ISO times, oldest first. */
  times: string[]
  lines: ChartLine[]
  /** Which of the theme's chart colours the first line takes. */
  firstColour?: number
  format: (value: number) => string
  /** A percentage: the scale is 0 to 100 and 80 is marked. */
  percent?: boolean
}

const height = 200
const shownRows = 12

/** Lines over time; the same figures as a table for whoever does not see them. */
export function LineChart(props: LineChartProps) {
  const { title, times, lines, firstColour = 0, format } = props
  const { palette } = useTheme()
  // Under the pointer or the keyboard's cursor; null shows the newest.
  const [pointed, setPointed] = useState<number | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const names = lines.map(({ label }) => label).join()
  const latest = useLatest(props)

  // A canvas is outside React: it is drawn anew when theme or lines change, and follows the width of its place.
  useEffect(() => {
    const parent = place.current!
    const options = optionsFor(latest.current, palette, parent.clientWidth)
    const point = (plot: uPlot) => setPointed(plot.cursor.idx ?? null)
    const drawn = new uPlot(
      { ...options, hooks: { ...options.hooks, setCursor: [point] } },
      dataOf(latest.current),
      parent,
    )
    chart.current = drawn
    const observer = new ResizeObserver(() => drawn.setSize({ width: parent.clientWidth, height }))
    observer.observe(parent)
    return () => {
      observer.disconnect()
      drawn.destroy()
      chart.current = null
    }
  }, [palette, names, latest])

  // As above: new figures go into the chart that is there.
  useEffect(() => {
    chart.current?.setData(dataOf({ times, lines }))
  }, [times, lines])

  const stamp = stampOf(times)
  const shown = Math.min(pointed ?? Infinity, times.length - 1)
  const readings = lines.map(({ label, values, now }) => {
    const reading = pointed === null && now !== undefined ? now : values[shown]
    return `${label} ${reading == null ? '—' : format(reading)}`
  })
  const pointAt = (i: number) => {
    const plot = chart.current
    plot?.setCursor({ left: plot.valToPos(Date.parse(times[i]!) / 1000, 'x'), top: 0 })
  }

  return (
    <Figure>
      <Legend>
        <b>{title}</b>
        {readings.map((reading, i) => (
          <span key={lines[i]!.label}>
            <i style={{ background: palette.chart[firstColour + i] }} />
            {reading}
          </span>
        ))}
        {pointed !== null && times[shown] && <time>{stamp(times[shown])}</time>}
      </Legend>
      {times.length > 0 && (
        // The arrow keys' way along the chart: heard by whoever does not see it, seen as the chart's own cursor.
        <Cursor
          type="range"
          aria-label={`${title}的时间点`}
          aria-valuetext={`${stamp(times[shown]!)}，${readings.join('，')}`}
          min={0}
          max={times.length - 1}
          value={shown}
          onChange={(event) => pointAt(event.target.valueAsNumber)}
          onBlur={() => chart.current?.setCursor({ left: -10, top: -10 })}
        />
      )}
      <div ref={place} aria-hidden />
      <details>
        <summary>查看数据</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{labels.time}</th>
              {lines.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times
              .map((at, i) => ({ at, i }))
              .slice(-shownRows)
              .toReversed()
              .map(({ at, i }) => (
                <tr key={at}>
                  <td>{stamp(at)}</td>
                  {lines.map(({ label, values }) => (
                    <td key={label}>{values[i] == null ? '—' : format(values[i])}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </Figure>
  )
}

/** The newest props for an effect that must not run because of them. */
function useLatest<T>(value: T) {
  const latest = useRef(value)

  // A ref may only change outside rendering.
  useEffect(() => {
    latest.current = value
  })

  return latest
}

/** How a point's time is written: where a point is a day, without a clock. */
function stampOf(times: string[]): (at: string) => string {
  const daily = times.length > 1 && Date.parse(times[1]!) - Date.parse(times[0]!) >= 24 * 3600_000
  return (at) => (daily ? dateText(at) : `${dateText(at)} ${clockTime(at).slice(0, 5)}`)
}

/** Points with a gap on both sides: no line reaches them, so they are drawn as dots. */
function lonePoints(values: uPlot.AlignedData[number]): number[] | null {
  const lone = [...values.keys()].filter((i) => values[i] != null && values[i - 1] == null && values[i + 1] == null)
  return lone.length > 0 ? lone : null
}

const dataOf = ({ times, lines }: Pick<LineChartProps, 'times' | 'lines'>): uPlot.AlignedData => [
  times.map((at) => Date.parse(at) / 1000),
  ...lines.map(({ values }) => values),
]

function optionsFor(
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
          const days = plot.scales['x']!.max! - plot.scales['x']!.min! > 36 * 3600
          return ticks.map((tick) => (days ? dateText(tick * 1000).slice(5) : clockTime(tick * 1000).slice(0, 5)))
        },
      },
      {
        ...axis,
        size: percent ? 44 : 76,
        ...(percent ? { splits: [0, 20, 40, 60, 80, 100] } : {}),
        grid: { stroke: line, width: 1 },
        values: (_, ticks) => ticks.map((tick) => format(tick)),
      },
    ],
    series: [
      {},
      ...lines.map(({ label }, i) => ({
        label,
        stroke: palette.chart[firstColour + i]!,
        width: 1.5,
        fill: `${palette.chart[firstColour + i]}12`,
        points: {
          show: false,
          size: 6,
          fill: palette.chart[firstColour + i]!,
          filter: (plot: uPlot, series: number) => lonePoints(plot.data[series]!),
        },
      })),
    ],
    hooks: percent ? { draw: [(plot) => drawLimit(plot, palette.roles.error.text)] } : {},
  }
}

/** The line from which usage is an error. */
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

const Cursor = styled.input`
  position: absolute;
  width: 1px;
  height: 1px;
  margin: 0;
  clip-path: inset(50%);

  &:focus-visible + div {
    outline: 2px solid ${color.focus};
    outline-offset: 2px;
    border-radius: ${radius.control};
  }
`

const Figure = styled.div`
  position: relative;
  min-width: 0;

  summary {
    width: fit-content;
    ${font.xs}
    color: ${color.primary.text};
    cursor: pointer;
  }

  table {
    width: 100%;
    margin-top: 8px;
    border-collapse: collapse;
    ${font.xs}
    ${font.numbers}
  }

  th,
  td {
    padding: 4px 8px;
    border-bottom: 1px solid ${color.line};
    text-align: start;
  }
`

const Legend = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 4px 16px;
  margin-bottom: 8px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text2};

  b {
    color: ${color.text};
  }

  span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }

  i {
    width: 12px;
    height: 3px;
    border-radius: 2px;
  }
`
