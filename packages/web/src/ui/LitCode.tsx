import styled from 'styled-components'
import { color, radius } from '../theme/tokens'
import { figureCells } from './cell-paths'
import { Lights } from './Lights'

/** On a wall of cells; the page says it in words. */
export function LitCode({ code }: { code: string }) {
  return (
    <Night>
      <Lights {...figureCells(code)} />
    </Night>
  )
}

const Night = styled.div`
  width: min(360px, 100%);
  padding: 16px;
  border-radius: ${radius.dialog};
  background: ${color.night};

  svg {
    display: block;
    width: 100%;
  }
`
