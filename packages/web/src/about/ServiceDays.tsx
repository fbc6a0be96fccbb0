import { statusDays, wallText, worstDays } from '@vps/shared/status'
import type { ServiceView } from '@vps/shared/status.contract'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'
import { Lights } from '../ui/Lights'

/** A cell per day, and in words. */
export function ServiceDays({ services = [], rows }: { services?: readonly ServiceView[] | undefined; rows: number }) {
  const days = worstDays(services)
  return (
    <Wall>
      <Lights cells={days} columns={statusDays / rows} />
      <figcaption>{wallText(days)}</figcaption>
    </Wall>
  )
}

const Wall = styled.figure`
  svg {
    display: block;
    width: 100%;
  }

  figcaption {
    margin-top: 8px;
    ${font.xs}
    ${font.numbers}
    color: ${color.onNight2};
  }
`
