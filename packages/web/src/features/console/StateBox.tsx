import styled from 'styled-components'
import { color, font, media, radius } from '../../theme/tokens'

/** Loud: the machine is not as its owner might think. */
export const StateBox = styled.section`
  padding: 20px;
  border: 1px solid ${color.warning.text};
  border-radius: ${radius.card};
  background: ${color.warning.tint};

  ${media.phone} {
    padding: 16px;
  }
`

/** What is so, and the way out. */
export const StateHead = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;

  > svg {
    flex: none;
    color: ${color.warning.text};
  }

  > div {
    flex: 1;
    min-width: 0;
  }

  h2 {
    ${font.md}
    font-weight: 600;
  }

  small {
    ${font.sm}
    ${font.numbers}
    color: ${color.text2};
  }

  ${media.phone} {
    flex-wrap: wrap;

    > button,
    > span {
      width: 100%;
    }
  }
`
