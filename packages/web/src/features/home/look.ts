import styled from 'styled-components'
import { color, font, media, size } from '../../theme/tokens'

export const Section = styled.section`
  max-width: calc(${size.marketing} + 48px);
  margin: 0 auto;
  padding: 72px 24px 0;
  ${font.md}

  &:last-of-type {
    padding-bottom: 72px;
  }

  > h2 {
    ${font.xxl}
    text-align: center;
  }

  ${media.phone} {
    padding: 48px 16px 0;

    &:last-of-type {
      padding-bottom: 48px;
    }

    > h2 {
      ${font.xl}
    }
  }
`

export const Lead = styled.p`
  max-width: 36em;
  margin: 8px auto 0;
  text-align: center;
  color: ${color.text2};
`

export const Cards = styled.div<{ $columns: number }>`
  display: grid;
  grid-template-columns: repeat(${({ $columns }) => $columns}, 1fr);
  gap: 20px;
  margin-top: 36px;

  ${media.narrow} {
    grid-template-columns: repeat(2, 1fr);
  }

  ${media.phone} {
    grid-template-columns: 1fr;
    gap: 12px;
    margin-top: 24px;
  }
`
