import styled from 'styled-components'
import { color } from '../theme/tokens'

const [width, height] = [120, 28]

/** Oldest first; a gap where nothing was measured. */
export function Spark({ values }: { values: (number | null)[] }) {
  const lines = linesOf(values)
  return (
    <Drawing viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      {lines.map((line) => (
        <g key={line[0]?.x}>
          <path d={`M${line[0]?.x} ${height}${pathOf(line)}L${line.at(-1)?.x} ${height}Z`} data-fill />
          <path d={pathOf(line).replace('L', 'M')} />
        </g>
      ))}
    </Drawing>
  )
}

interface Point {
  x: number
  y: number
}

/** Each unbroken stretch of at least two points. */
export function linesOf(values: (number | null)[]): Point[][] {
  const step = width / Math.max(1, values.length - 1)
  const lines: Point[][] = [[]]
  for (const [i, value] of values.entries()) {
    if (value === null) lines.push([])
    else lines.at(-1)?.push({ x: round(i * step), y: round(height - 1 - (Math.min(100, value) / 100) * (height - 2)) })
  }
  return lines.filter((line) => line.length > 1)
}

const pathOf = (line: Point[]) => line.map(({ x, y }) => `L${x} ${y}`).join('')
const round = (pixels: number) => Math.round(pixels * 10) / 10

const Drawing = styled.svg`
  display: block;
  width: 100%;
  height: ${height}px;
  overflow: visible;

  path {
    fill: none;
    stroke: ${color.primary.brand};
    stroke-width: 1.5;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }

  path[data-fill] {
    fill: ${color.primary.tint};
    stroke: none;
  }
`
