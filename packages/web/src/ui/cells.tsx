import styled, { css } from 'styled-components'
import { color, font, media } from '../theme/tokens'

export const RowActions = styled.div`
  display: flex;
  align-items: center;
  justify-content: flex-end;
  gap: 4px;

  /* The words of the last button end where the head's do. */
  ${media.wide} {
    > :last-child:not([aria-haspopup]) {
      margin-right: -10px;
    }
  }
`

/** Give the whole text as a title. */
const twoLines = css`
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  overflow: hidden;
`

export const TwoLines = styled.div`
  display: grid;
  grid-template-columns: minmax(0, auto);
  min-width: 0;

  > a,
  > button,
  > small {
    ${twoLines}
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }

  /* One target above another, neither missed for the other. */
  &:has(> small > a) {
    > a,
    > button {
      min-height: 24px;
    }

    /* No clamp counts the lines of what is a block: one each leaves the next its place. */
    > small > a {
      display: inline-block;
      max-width: 100%;
      overflow: hidden;
      line-height: 24px;
      text-overflow: ellipsis;
      vertical-align: bottom;
      white-space: nowrap;
    }
  }
`

export const NameButton = styled.button`
  justify-self: start;
  max-width: 100%;
  padding: 0;
  border: 0;
  background: transparent;
  color: ${color.primary.text};
  text-align: start;
  overflow-wrap: anywhere;
  ${font.sm}
  cursor: pointer;

  &:hover {
    text-decoration: underline;
  }

  ${media.narrow} {
    min-height: 24px;
    ${font.md}
    ${font.strong}
  }
`

export const Mono = styled.span`
  font-family: ${font.family.mono};
  ${font.numbers}
`
