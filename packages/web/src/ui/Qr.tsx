import { encode } from 'uqr'
import { qr } from '../theme/tokens'

/** Dark on white in every theme, for cameras. */
export function Qr({ text, label, side = 200 }: { text: string; label: string; side?: number }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={side}
      height={side}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill={qr.paper} />
      <path d={path} fill={qr.ink} />
    </svg>
  )
}
