import { numberText } from '@vps/shared/digits'
import { usageLevel } from '@vps/shared/servers'
import styled from 'styled-components'
import { color, font, radius } from '../../../theme/tokens'
import { Dim } from '../../../ui/Time'

/** Without a tone it follows the usage thresholds. */
export function Meter({ label, share, tone }: { label: string; share: number; tone?: 'primary' }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  const level = usageLevel(percent)
  return (
    <Groove role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      <i style={{ width: `${percent}%`, background: color[tone ?? (level === 'normal' ? 'success' : level)].brand }} />
    </Groove>
  )
}

/** A bar over the figures. */
export function Used({
  label,
  used,
  total,
  unit,
  digits = 0,
}: {
  label: string
  used: number
  total: number
  unit: string
  digits?: number
}) {
  const text = (value: number) => numberText(value, digits)
  return (
    <Stack>
      <Meter label={label} share={total > 0 ? used / total : 0} />
      <span>
        {text(used)} <Dim>/</Dim> {text(total)} <Dim>{unit}</Dim>
      </span>
    </Stack>
  )
}

const Groove = styled.span`
  display: block;
  width: 100%;
  height: 6px;
  border-radius: ${radius.pill};
  background: ${color.sunken};
  overflow: hidden;

  i {
    display: block;
    height: 100%;
    border-radius: inherit;
  }
`

const Stack = styled.div`
  display: grid;
  gap: 4px;
  min-width: 96px;
  ${font.xs}
  ${font.numbers}
`
