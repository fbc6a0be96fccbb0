import { yuanDigits } from '@vps/shared/money'
import styled from 'styled-components'
import { font } from '../theme/tokens'

/** In yuan: ¥ and decimals one step dimmer. */
export function Money({ yuan, sign }: { yuan: number; sign?: '+' | '-' | undefined }) {
  const [whole, decimals] = yuanDigits(Math.abs(yuan)).split('.')
  return (
    <Figure>
      {sign ?? (yuan < 0 ? '-' : '')}
      <small>¥</small>
      {whole}
      <small>.{decimals}</small>
    </Figure>
  )
}

const Figure = styled.span`
  ${font.numbers}
  white-space: nowrap;

  small {
    font-size: 0.85em;
    font-weight: 400;
  }
`
