import type { Place } from '@vps/shared/places'
import styled from 'styled-components'
import { color, font, media } from '../theme/tokens'
import { pitch, side } from '../ui/cell-paths'
import { Lights } from '../ui/Lights'
import { land } from './land'
import { cellOf, columns, rows } from './map-grid'
import { labelsOf } from './map-labels'

/** Each place lit; words stand beside it. */
export function PlacesMap({ places, told }: { places: readonly Place[]; told?: Readonly<Record<string, string>> }) {
  const lit = new Set(places.map(cellOf).map(({ column, row }) => row * columns + column))
  const cells = [...land.join('')].map((cell, n) => (lit.has(n) ? 'good' : cell === '#' ? 'none' : null))
  return (
    <Sheet aria-hidden>
      <Lights cells={cells} columns={columns} />
      <Labels viewBox={`0 0 ${columns * pitch - (pitch - side)} ${rows * pitch - (pitch - side)}`}>
        {labelsOf(places).map(({ place: { name }, from, to }) => (
          <g key={name}>
            <path d={`M${from.x} ${from.y}L${to.x - 6} ${to.y}`} />
            <text x={to.x} y={to.y} dominantBaseline="central">
              {name} {told?.[name]}
            </text>
          </g>
        ))}
      </Labels>
    </Sheet>
  )
}

const Sheet = styled.div`
  position: relative;

  > svg {
    display: block;
    width: 100%;
  }
`

/* Too small to read on a phone: there the list says it. */
const Labels = styled.svg`
  position: absolute;
  inset: 0;
  overflow: visible;

  path {
    stroke: ${color.lamp};
    stroke-width: 1.5;
  }

  text {
    fill: ${color.onNight};
    stroke: ${color.night};
    stroke-width: 5;
    paint-order: stroke;
    font-size: 22px;
    ${font.strong}
    ${font.numbers}
  }

  ${media.phone} {
    display: none !important;
  }
`
