import styled from 'styled-components'
import { color, font, media } from '../../theme/tokens'

/** Copies of a disk. */
export const KeptList = styled.ul`
  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 8px 16px;
    padding: 12px 0;
  }

  li + li {
    border-top: 1px solid ${color.line};
  }

  ${media.phone} {
    li {
      grid-template-columns: minmax(0, 1fr) auto;
    }
  }
`

export const About = styled.div`
  display: grid;
  min-width: 0;

  b {
    overflow-wrap: anywhere;
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
    overflow-wrap: anywhere;
  }
`

export const Acts = styled.div`
  display: flex;
  gap: 8px;

  ${media.phone} {
    grid-column: 1 / -1;

    > * {
      flex: 1;
    }
  }
`

/** What holds for all of them. */
export const KeptRules = styled.ul`
  display: grid;
  gap: 4px;
  margin-top: 12px;
  padding-top: 12px;
  border-top: 1px solid ${color.line};
  ${font.xs}
  color: ${color.text3};

  li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 6px;
  }

  li::before {
    content: '·' / '';
  }
`
