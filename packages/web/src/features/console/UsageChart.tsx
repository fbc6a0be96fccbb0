import type { MonitoringView } from '@vps/shared/servers'
import { useEffect, useRef } from 'react'
import styled from 'styled-components'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../../theme/ThemeProvider'
import { color, font } from '../../theme/tokens'
import { clockTime } from '../../ui/Time'

type Samples = MonitoringView['samples']

const series = [
  { label: 'CPU', field: 'cpuUsage' },
  { label: '内存', field: 'memoryUsage' },
  { label: '磁盘', field: 'diskUsage' },
] as const

const height = 160
const shownRows = 10

/** Usage over the last hour; the same figures as a table for whoever does not see the lines. */
export default function UsageChart({ samples }: { samples: Samples }) {
  const { palette } = useTheme()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)

  // A canvas is outside React: it is drawn anew when the theme changes, and follows the width of its place.
  useEffect(() => {
    const parent = place.current!
    const drawn = new uPlot(optionsFor(palette, parent.clientWidth), [[], [], [], []], parent)
    chart.current = drawn
    const observer = new ResizeObserver(() => drawn.setSize({ width: parent.clientWidth, height }))
    observer.observe(parent)
    return () => {
      observer.disconnect()
      drawn.destroy()
      chart.current = null
    }
  }, [palette])

  // As above: samples go into the chart that is there, also into one that the theme made anew.
  useEffect(() => {
    chart.current?.setData(dataOf(samples))
  }, [samples, palette])

  return (
    <Figure>
      <Legend aria-hidden>
        {series.map(({ label }, i) => (
          <span key={label}>
            <i style={{ background: palette.chart[i] }} />
            {label}
          </span>
        ))}
        <span>最近 1 小时</span>
      </Legend>
      <div ref={place} aria-hidden />
      <details>
        <summary>查看数据</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">时间</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {samples
              .slice(-shownRows)
              .toReversed()
              .map((sample) => (
                <tr key={sample.at}>
                  <td>{clockTime(sample.at)}</td>
                  {series.map(({ field }) => (
                    <td key={field}>{sample[field] === null ? '—' : `${sample[field].toFixed(1)}%`}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </Figure>
  )
}

function dataOf(samples: Samples): uPlot.AlignedData {
  return [
    samples.map((sample) => Date.parse(sample.at) / 1000),
    ...series.map(({ field }) => samples.map((sample) => sample[field])),
  ]
}

function optionsFor(palette: ReturnType<typeof useTheme>['palette'], width: number): uPlot.Options {
  const { line, text3 } = palette.neutral
  const axis = { stroke: text3, font: '12px system-ui', ticks: { show: false } }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: [0, 100] } },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        values: (_, times) => times.map((time) => clockTime(time * 1000).slice(0, 5)),
      },
      {
        ...axis,
        size: 44,
        splits: [0, 20, 40, 60, 80, 100],
        grid: { stroke: line, width: 1 },
        values: (_, ticks) => ticks.map((tick) => `${tick}%`),
      },
    ],
    series: [
      {},
      ...series.map(({ label }, i) => ({
        label,
        stroke: palette.chart[i]!,
        width: 1.5,
        fill: `${palette.chart[i]}12`,
        points: { show: false },
      })),
    ],
    hooks: {
      // The line from which usage is an error.
      draw: [
        (plot) => {
          const y = plot.valToPos(80, 'y', true)
          plot.ctx.save()
          plot.ctx.strokeStyle = palette.roles.error.text
          plot.ctx.setLineDash([4, 4])
          plot.ctx.lineWidth = 1
          plot.ctx.beginPath()
          plot.ctx.moveTo(plot.bbox.left, y)
          plot.ctx.lineTo(plot.bbox.left + plot.bbox.width, y)
          plot.ctx.stroke()
          plot.ctx.restore()
        },
      ],
    },
  }
}

const Figure = styled.div`
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
  flex-wrap: wrap;
  gap: 16px;
  margin-bottom: 4px;
  ${font.xs}
  color: ${color.text2};

  span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }

  span:last-child {
    margin-left: auto;
    color: ${color.text3};
  }

  i {
    width: 12px;
    height: 3px;
    border-radius: 2px;
  }
`
