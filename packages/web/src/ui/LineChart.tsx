import * as labels from '@vps/shared/labels'
import { useEffect, useRef } from 'react'
import styled from 'styled-components'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../theme/ThemeProvider'
import { color, font, radius } from '../theme/tokens'
import { type CommonCursor, dataOf, height, optionsFor, stampOf, type LineChartProps } from './line-chart'

const shownRows = 12

/** Also as a table, for screen readers. */
export function LineChart(props: LineChartProps & CommonCursor) {
  const { title, times, lines, firstColour = 0, format, pointed, onPoint } = props
  const { palette } = useTheme()
  const place = useChart(props)

  const stamp = stampOf(times)
  const shown = Math.min(pointed ?? Infinity, times.length - 1)
  const at = times[shown]
  const readings = lines.map(({ label, values, now }) => {
    const reading = pointed === null && now !== undefined ? now : values[shown]
    return `${label} ${reading == null ? '—' : format(reading)}`
  })

  return (
    <Figure>
      <Legend>
        <b>{title}</b>
        {readings.map((reading, i) => (
          <span key={lines[i]?.label}>
            <i style={{ background: palette.chart[firstColour + i] }} />
            {reading}
          </span>
        ))}
        {pointed !== null && at && <time>{stamp(at)}</time>}
      </Legend>
      {at !== undefined && (
        // The arrow keys' way along the chart, for eye and ear.
        <Cursor
          type="range"
          aria-label={`${title}的时间点`}
          aria-valuetext={`${stamp(at)}，${readings.join('，')}`}
          min={0}
          max={times.length - 1}
          value={shown}
          onChange={(event) => onPoint(event.target.valueAsNumber)}
          onBlur={() => onPoint(null)}
        />
      )}
      {/* As high before the chart is drawn in it: what stands below does not move. */}
      <div ref={place} style={{ height }} aria-hidden />
      <Figures title={title} times={times} lines={lines} stamp={stamp} format={format} />
    </Figure>
  )
}

function useChart(props: LineChartProps & CommonCursor) {
  const { times, lines, pointed } = props
  const { palette } = useTheme()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const isDrawn = useRef(false)
  const names = lines.map(({ label }) => label).join()
  const latest = useLatest(props)

  // Drawn anew on another theme or lines.
  useEffect(() => {
    const parent = place.current
    if (!parent) return
    const observer = new ResizeObserver(() => {
      const width = parent.clientWidth
      if (chart.current && chart.current.width !== width) chart.current.setSize({ width, height })
    })
    const draw = () => {
      const options = optionsFor(latest.current, palette, parent.clientWidth)
      const point = (plot: uPlot) => latest.current.onPoint(plot.cursor.idx ?? null)
      const hooks = { ...options.hooks, setCursor: [point] }
      chart.current = new uPlot({ ...options, hooks }, dataOf(latest.current), parent)
      isDrawn.current = true
      observer.observe(parent)
    }
    // At first charts come together, and with a screen: each in a task of its own holds up nothing that is pressed.
    const drawing = isDrawn.current ? undefined : setTimeout(draw)
    if (isDrawn.current) draw()
    return () => {
      clearTimeout(drawing)
      observer.disconnect()
      chart.current?.destroy()
      chart.current = null
    }
  }, [palette, names, latest])

  useEffect(() => {
    chart.current?.setData(dataOf({ times, lines }))
  }, [times, lines])

  // Tells nobody, since all have heard.
  useEffect(() => {
    const plot = chart.current
    if (!plot || (plot.cursor.idx ?? null) === pointed) return
    const at = pointed === null ? undefined : times[pointed]
    const left = at === undefined ? -10 : plot.valToPos(Date.parse(at) / 1000, 'x')
    plot.setCursor({ left, top: at === undefined ? -10 : 0 }, false)
  }, [pointed, times])

  return place
}

function Figures({
  title,
  times,
  lines,
  stamp,
  format,
}: Pick<LineChartProps, 'title' | 'times' | 'lines' | 'format'> & { stamp: (at: string) => string }) {
  return (
    <details>
      <summary aria-label={`查看数据：${title}`}>查看数据</summary>
      <table aria-label={title}>
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
  )
}

/** For effects that must not run on a change. */
function useLatest<T>(value: T) {
  const latest = useRef(value)

  useEffect(() => {
    latest.current = value
  })

  return latest
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
